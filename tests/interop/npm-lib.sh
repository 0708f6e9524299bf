# shellcheck shell=sh
# Packages of the npm registry, for tests that ask their programs: sourced after lib.sh.

# npm_package NAME VERSION: sets NPM to the folder of the package, which is fetched once for all runs; a skip
# says why there is none. No program of a package runs while it is installed
npm_package() {
	node --version > node.version 2> /dev/null || skip "no node"
	npm --version > npm.version 2> /dev/null || skip "no npm"
	npm_dir=$O/npm/$(echo "$1@$2" | tr / +)
	NPM=$npm_dir/node_modules/$1
	test -d "$NPM" || {
		npm_new=$npm_dir.$$
		mkdir -p "$npm_new"
		timeout 100 npm install --ignore-scripts --no-audit --no-fund --prefix "$npm_new" "$1@$2" > npm.log 2>&1 ||
			{ rm -rf "$npm_new"; skip "npm cannot fetch $1"; }
		mv -T "$npm_new" "$npm_dir" 2> mv.err || rm -rf "$npm_new"
	}
	test -d "$NPM" || skip "npm has not installed $1"
}
