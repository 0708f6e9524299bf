#!/bin/sh
# man.sh PERF PAGE.txt OUT.1: makes a man page with asciidoctor. The line "// options" of a page becomes what
# the command's own rows say. compat-mode: text in `backticks` is taken as it stands (--, <=, quotes), and
# 'quotes' emphasize, as _underscores_ do.
set -eu
perf=$1 page=$2 out=$3
name=$(basename "$page" .txt)
command=${name#perf}
"$perf" ${command:+"${command#-}"} --man-options > "${out%.1}.options"
sed -e "/^\/\/ options\$/r ${out%.1}.options" "$page" > "${out%.1}.adoc"
asciidoctor --failure-level WARN -b manpage -d manpage -a compat-mode -a manmanual='perf Manual' -a mansource=perf -o "$out" "${out%.1}.adoc"
