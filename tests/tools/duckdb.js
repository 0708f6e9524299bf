// Runs statements in DuckDB and prints the rows of the last one of each text, with | between columns, as sqlite3 does.
// usage: node duckdb.js MODULE TEXT...; a text that begins with @ is a file. MODULE: the folder of @duckdb/node-api.
// DUCKDB_FILE: the database, else one in memory
const fs = require("fs");

async function main(module, texts) {
	const { DuckDBInstance } = require(module);
	const connection = await (await DuckDBInstance.create(process.env.DUCKDB_FILE || ":memory:")).connect();

	for (const text of texts) {
		const sql = text[0] === "@" ? fs.readFileSync(text.slice(1), "utf8") : text;
		const reader = await connection.runAndReadAll(sql);

		if (text[0] === "@")
			continue;
		for (const row of reader.getRows())
			console.log(row.map((v) => v === null ? "" : String(v)).join("|"));
	}
}

main(process.argv[2], process.argv.slice(3)).catch((e) => { console.error(String(e)); process.exit(1); });
