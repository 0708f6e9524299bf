/*
 * The code of the hottest functions: instructions with their shares of the function, and source lines between
 * them. The whole time's: a part of the time does not change it.
 */
const HOT = 5, WARM = 0.5;	/* percent of the function */

/* of the event that is shown; names of rows without call chains have no library */
function codeOf(name, module) {
	const event = data.graphs[+events.value || 0].event;

	return data.code.find(c => c.event == event && c.name == name && (!module || c.module == module)) || null;
}

function codeLine(code, line) {
	const [kind, at, text, period, nr] = line, percent = period / Math.max(code.period, 1) * 100;

	if (kind == 3)
		return element("tr", { class: "gap" }, element("td"), element("td"),
			element("td", {}, `\u22ee ${at.toLocaleString("en")} lines are left out`));
	if (kind == 2)
		return element("tr", { class: "note" }, element("td"), element("td"), element("td", {}, at));
	if (kind == 1)
		return element("tr", { class: "source" }, element("td"), element("td", { class: "number" }, at),
			element("td", {}, text));
	const share = period == null ? "" : percent.toFixed(2), hot = percent >= HOT, warm = percent >= WARM;

	return element("tr", { class: hot ? "hot" : warm ? "warm" : "",
			...(hot ? { tabindex: "0", "aria-label": `${share} percent: ${text}` } : {}) },
		element("td", { class: "number", ...(share ? { title: `${nr} sample${plural(nr)}, ${period.toLocaleString("en")}` } : {}) }, share),
		element("td", { class: "number" }, (BigInt("0x" + code.start) + BigInt(at)).toString(16)),
		element("td", {}, text));
}

function hottestLine(code) {
	const period = c => c[0] ? -1 : c[3] || 0, most = code.lines.reduce((a, c) => Math.max(a, period(c)), 0);

	return code.lines.findIndex(c => period(c) == most);
}

/* code that is shown begins at its hottest line, not at its first one */
function showHottest() {
	const box = document.querySelector("#around .code"), row = box && box.querySelectorAll("tr")[box.dataset.hottest];

	if (row)
		box.scrollTop = row.offsetTop - box.clientHeight / 2;
}

/* what is known of a function's code */
function codeSection(name, module) {
	const code = codeOf(name, module), why = !code ? data.noCode || (data.code.length ?
		"The file has the code of the hottest functions only; perf annotate shows any." : "") : code.why;

	if (!code || code.why)
		return element("p", { class: "no-code" }, why ? "No code: " + why : "");
	const box = element("div", { class: "code", tabindex: "0", role: "region", "aria-label": "code of " + name },
		element("table", {}, element("tbody", {}, ...code.lines.map(line => codeLine(code, line)))));
	const source = element("button", { "aria-pressed": "true", onclick: () => {
		source.setAttribute("aria-pressed", !box.classList.toggle("bare"));
	} }, "source lines");
	const hottest = element("button", { onclick: () => {
		const row = box.querySelectorAll("tr")[hottestLine(code)];

		row.setAttribute("tabindex", "0");
		row.focus();
	} }, "hottest line");

	box.dataset.hottest = hottestLine(code);

	source.hidden = !code.lines.some(line => line[0] == 1);
	box.addEventListener("keydown", e => e.stopPropagation());
	return element("div", {}, element("h3", {}, "Code"), element("p", {},
		`${code.dso}: ${(code.period / Math.max(code.all, 1) * 100).toFixed(2)} % of the samples of the whole time that ` +
		"have a function; shares are shares of this function. Tab goes to its hot lines. ", source, " ", hottest), box);
}
