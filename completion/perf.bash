# SPDX-License-Identifier: GPL-2.0-or-later
# Bash completion for perf. It knows nothing by itself: commands, options and configuration keys come from
# perf's own tables.
# shellcheck shell=bash disable=SC2207,SC2034

_perf_words() {
	COMPREPLY=($(compgen -W "$1" -- "$2"))
}

# index of the command in COMP_WORDS, 0 where there is none yet
_perf_command() {
	local i

	for ((i = 1; i < COMP_CWORD; i++)); do
		case ${COMP_WORDS[i]} in
		--debugfs-dir | --buildid-dir | --debug | --debug-file) ((i++)) ;;
		-*) ;;
		*)
			echo "$i"
			return
			;;
		esac
	done
	echo 0
}

# empty where a command has none, which then fails or prints its usage
_perf_subcommands() {
	"$1" "$2" --list-cmds 2> /dev/null < /dev/null
}

_perf_config_keys() {
	local c

	for c in $("$1" --list-cmds 2> /dev/null); do
		"$1" "$c" --list-config 2> /dev/null
	done
	"$1" config -l 2> /dev/null | cut -d= -f1
	echo color.ui core.pager buildid.dir
}

# what perf explain knows by name
_perf_explained() {
	"$1" --list-cmds 2> /dev/null
	"$1" --list-words sort-keys 2> /dev/null
	"$1" --list-words script-fields 2> /dev/null
	"$1" list --raw-dump 2> /dev/null
}

# of "-e a,b": the last event alone; readline takes a colon as the beginning of a word
_perf_events() {
	local perf=$1 line=${COMP_LINE:0:COMP_POINT} word before= names

	names=$("$perf" list --raw-dump 2> /dev/null)
	case $3 in trace) names+=" $("$perf" --list-words syscalls 2> /dev/null)" ;; esac
	word=${line##*[ ,\{\'\"]}
	before=${word%"${word##*:}"}
	COMPREPLY=($(compgen -W "$names" -- "$word"))
	COMPREPLY=("${COMPREPLY[@]#"$before"}")
	# what stands before it in the same word comes along
	word=${2%"${word##*:}"}
	case $before in '') COMPREPLY=("${COMPREPLY[@]/#/$word}") ;; esac
}

# of a list "a,b": the last word of WORDS alone, with what stands before it
_perf_list() {
	local before=

	case $2 in *,*) before=${2%,*}, ;; esac
	_perf_words "$1" "${2##*,}"
	COMPREPLY=("${COMPREPLY[@]/#/$before}")
}

_perf_arguments() {
	local perf=$1 cmd=$2 cur=$3 prev=$4

	case $cmd:$prev in
	script:-F | script:--fields) _perf_list "$("$perf" --list-words script-fields 2> /dev/null)" "$cur" ;;
	script:script | script:record | script:report) _perf_words "$("$perf" --list-words script-names 2> /dev/null)" "$cur" ;;
	probe:-d | probe:--del) _perf_words "$("$perf" probe -l 2> /dev/null | awk '{ print $1 }')" "$cur" ;;
	report:-s | report:--sort | top:-s | top:--sort | diff:-s | diff:--sort | mem:-s | mem:--sort)
		_perf_list "$("$perf" --list-words sort-keys 2> /dev/null)" "$cur" ;;
	record:--call-graph | top:--call-graph) _perf_list "$("$perf" --list-words record-call-graphs 2> /dev/null)" "$cur" ;;
	data:--to) _perf_words "$("$perf" --list-words data-formats 2> /dev/null)" "$cur" ;;
	data:--by) _perf_words "function line address" "$cur" ;;
	report:--call-graph | report:-g) _perf_list "$("$perf" --list-words report-call-graphs 2> /dev/null)" "$cur" ;;
	test:-w | test:--workload) _perf_words "$("$perf" test --list-workloads 2> /dev/null)" "$cur" ;;
	list:*) _perf_words "$("$perf" --list-words list-kinds 2> /dev/null)" "$cur" ;;
	help:*) _perf_words "$("$perf" --list-cmds 2> /dev/null)" "$cur" ;;
	explain:*) _perf_words "$(_perf_explained "$perf")" "$cur" ;;
	config:*) _perf_words "$(_perf_config_keys "$perf")" "$cur" ;;
	check:feature) _perf_words "$("$perf" version --build-options 2> /dev/null | sed -n 's/^ *\([^ ]*\): \[.*/\1/p')" "$cur" ;;
	"$cmd:$cmd" | test:*) _perf_words "$(_perf_subcommands "$perf" "$cmd")" "$cur" ;;
	*) COMPREPLY=() ;;	# files, by complete -o default
	esac
}

_perf() {
	local perf=${COMP_WORDS[0]} cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} at

	at=$(_perf_command)
	if [ "$at" = 0 ]; then
		case $cur in
		-*) _perf_words "$("$perf" --list-opts 2> /dev/null)" "$cur" ;;
		*) _perf_words "$("$perf" --list-cmds 2> /dev/null)" "$cur" ;;
		esac
		return
	fi
	if [[ ${COMP_LINE:0:COMP_POINT} =~ [[:space:]](-e|--event|--expr)[[:space:]]+[^[:space:]]*$ ]]; then
		_perf_events "$perf" "$cur" "${COMP_WORDS[at]}"
		return
	fi
	case $cur in
	-*) _perf_words "$("$perf" "${COMP_WORDS[at]}" --list-opts 2> /dev/null)" "$cur" ;;
	*) _perf_arguments "$perf" "${COMP_WORDS[at]}" "$cur" "$prev" ;;
	esac
}

complete -o bashdefault -o default -F _perf perf
