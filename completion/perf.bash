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

_perf_config_keys() {
	local c

	for c in $("$1" --list-cmds 2> /dev/null); do
		"$1" "$c" --list-config 2> /dev/null
	done
	"$1" config -l 2> /dev/null | cut -d= -f1
	echo color.ui core.pager buildid.dir
}

# of "-e a,b": the last event alone; readline takes a colon as the beginning of a word
_perf_events() {
	local perf=$1 line=${COMP_LINE:0:COMP_POINT} word before=

	word=${line##*[ ,\{\'\"]}
	before=${word%"${word##*:}"}
	COMPREPLY=($(compgen -W "$("$perf" list --raw-dump 2> /dev/null)" -- "$word"))
	COMPREPLY=("${COMPREPLY[@]#"$before"}")
	# what stands before it in the same word comes along
	word=${2%"${word##*:}"}
	case $before in '') COMPREPLY=("${COMPREPLY[@]/#/$word}") ;; esac
}

_perf_arguments() {
	local perf=$1 cmd=$2 cur=$3 prev=$4

	case $cmd:$prev in
	test:-w | test:--workload) _perf_words "$("$perf" test --list-workloads 2> /dev/null)" "$cur" ;;
	list:*) _perf_words "hw sw cache tool hwmon pmu tracepoint probe sdt metric metricgroup pfm" "$cur" ;;
	help:*) _perf_words "$("$perf" --list-cmds 2> /dev/null)" "$cur" ;;
	config:*) _perf_words "$(_perf_config_keys "$perf")" "$cur" ;;
	check:feature) _perf_words "$("$perf" version --build-options 2> /dev/null | sed -n 's/^ *\([^ ]*\): \[.*/\1/p')" "$cur" ;;
	check:* | test:*) _perf_words "$("$perf" "$cmd" --list-cmds 2> /dev/null)" "$cur" ;;
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
	if [[ ${COMP_LINE:0:COMP_POINT} =~ [[:space:]](-e|--event)[[:space:]]+[^[:space:]]*$ ]]; then
		_perf_events "$perf" "$cur"
		return
	fi
	case $cur in
	-*) _perf_words "$("$perf" "${COMP_WORDS[at]}" --list-opts 2> /dev/null)" "$cur" ;;
	*) _perf_arguments "$perf" "${COMP_WORDS[at]}" "$cur" "$prev" ;;
	esac
}

complete -o bashdefault -o default -F _perf perf
