// Loads rows into PostgreSQL (in this process) and prints the answers to statements, with | between columns.
// usage: node pglite.mjs MODULE SCHEMA DIRECTORY,... STATEMENT...; MODULE: the folder of @electric-sql/pglite
import { readFileSync } from "node:fs";

const [module, schema, directories, ...statements] = process.argv.slice(2);
const { PGlite } = await import(module + "/dist/index.js");
const db = await PGlite.create();

try {
	await main();
} catch (e) {
	console.error(String(e));
	process.exit(1);
}

async function main() {
	await db.exec(readFileSync(schema, "utf8"));
	for (const dir of directories.split(","))
		for (const table of ["profile", "frame", "stack", "sample"]) {
			await db.exec(`CREATE TEMP TABLE new_rows (LIKE ${table})`);
			await db.query(`COPY new_rows FROM '/dev/blob' WITH (FORMAT text, HEADER true)`, [],
				{ blob: new Blob([readFileSync(`${dir}/${table}.tsv`)]) });
			await db.exec(`INSERT INTO ${table} SELECT * FROM new_rows ON CONFLICT DO NOTHING; DROP TABLE new_rows`);
		}
	for (const sql of statements)
		for (const row of (await db.query(sql, [], { rowMode: "array" })).rows)
			console.log(row.map((v) => v === null ? "" : String(v)).join("|"));
	await db.close();
}
