# SPDX-License-Identifier: GPL-2.0-or-later
# Fish completion for perf. It knows nothing by itself: commands, options and other words come from perf's own
# tables.

function __perf_words
    set -l done (commandline -opc)
    set -l cur (commandline -ct)
    set -l perf $done[1]
    set -l prev $done[-1]
    set -l cmd
    for word in $done[2..-1]
        if not string match -q -- '-*' $word
            set cmd $word
            break
        end
    end
    set -l list
    switch "$cmd:$prev:$cur"
        case ':*:-*'
            set list ($perf --list-opts 2>/dev/null | string split -n ' ')
        case ':*'
            set list ($perf --list-cmds 2>/dev/null | string split -n ' ')
        case '*:*:-*'
            set list ($perf $cmd --list-opts 2>/dev/null | string split -n ' ')
        case 'script:-F:*' 'script:--fields:*'
            set list ($perf --list-words script-fields 2>/dev/null)
        case 'script:script:*' 'script:record:*' 'script:report:*'
            set list ($perf --list-words script-names 2>/dev/null)
        case '*:-s:*' '*:--sort:*'
            contains -- "$cmd" report top diff mem
            and set list ($perf --list-words sort-keys 2>/dev/null)
        case 'record:--call-graph:*' 'top:--call-graph:*'
            set list ($perf --list-words record-call-graphs 2>/dev/null)
        case 'report:-g:*' 'report:--call-graph:*'
            set list ($perf --list-words report-call-graphs 2>/dev/null)
        case 'data:--to:*'
            set list ($perf --list-words data-formats 2>/dev/null)
        case 'data:--by:*'
            set list function line address
        case 'test:-w:*' 'test:--workload:*'
            set list ($perf test --list-workloads 2>/dev/null)
        case 'list:*'
            set list ($perf --list-words list-kinds 2>/dev/null)
        case 'explain:*'
            set list ($perf --list-words sort-keys 2>/dev/null) ($perf --list-words script-fields 2>/dev/null) \
                ($perf --list-cmds 2>/dev/null | string split -n ' ') \
                ($perf list --raw-dump 2>/dev/null | string split -n ' ')
        case 'config:*'
            for c in ($perf --list-cmds 2>/dev/null | string split -n ' ')
                set -a list ($perf $c --list-config 2>/dev/null)
            end
            set -a list ($perf config -l 2>/dev/null | string replace -r '=.*' '') color.ui core.pager buildid.dir
        case 'check:feature:*'
            set list ($perf version --build-options 2>/dev/null | string match -r '^ *\S+(?=: \[)' | string trim)
        case 'probe:-d:*' 'probe:--del:*'
            set list ($perf probe -l 2>/dev/null | string trim | string replace -r '\s.*' '')
        case 'trace:-e:*' 'trace:--event:*' 'trace:--expr:*'
            set list ($perf --list-words syscalls 2>/dev/null) ($perf list --raw-dump 2>/dev/null | string split -n ' ')
        case '*:-e:*' '*:--event:*'
            set list ($perf list --raw-dump 2>/dev/null | string split -n ' ')
        case 'help:*'
            set list ($perf --list-cmds 2>/dev/null | string split -n ' ')
        case "$prev:*"
            set list ($perf $cmd --list-cmds 2>/dev/null </dev/null | string split -n ' ')
    end
    # of a list "a,b" the last word alone, with what stands before it
    set -l before (string match -r '^[^-].*,' -- $cur)
    if test (count $list) -gt 0
        printf '%s\n' "$before"$list
    else
        __fish_complete_path $cur
    end
end

complete -c perf -f -a '(__perf_words)'
