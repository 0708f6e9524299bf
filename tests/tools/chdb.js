// Runs statements in ClickHouse (in this process) and prints the rows of each, with | between columns, as sqlite3 does.
// usage: node chdb.js MODULE TEXT...; a text that begins with @ is a file of statements. MODULE: the folder of chdb.
// CHDB_PATH: the directory of the database, else a temporary one
const fs = require("fs");

const [folder, ...texts] = process.argv.slice(2);
const { Session } = require(folder);

try {
	const session = process.env.CHDB_PATH ? new Session(process.env.CHDB_PATH) : new Session();

	for (const text of texts) {
		if (text[0] !== "@") {
			process.stdout.write(session.query(text, "TabSeparatedRaw").replaceAll("\t", "|"));
			continue;
		}
		// no text in the file contains such an end
		for (const sql of fs.readFileSync(text.slice(1), "utf8").split(/;\n/))
			if (sql.trim())
				session.query(sql);
	}
	if (!process.env.CHDB_PATH)
		session.cleanup();
} catch (e) {
	console.error(String(e));
	process.exit(1);
}
