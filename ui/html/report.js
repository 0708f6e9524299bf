/*
 * What a report has below its flame graph: a table of functions that can be sorted, and of the chosen one its
 * callers and callees. All of it is computed from the tree of the flame graph: a function counts once on a
 * stack, however often it is there. Frames that were pruned are missing here, too.
 */
const FIRST_ROWS = 100;
let functions = [], order = "self", ascending = false, rowsShown = FIRST_ROWS, chosen = "";

const keyOf = (t, i) => t.name[i] + ":" + t.module[i];

/* sums by function; of nodes that are not inside of the same function again */
function addFunctions(t) {
	const all = new Map(), open = new Map(), stack = [];

	for (let i = 1; i < t.nr; i++) {
		while (stack.length && t.depth[stack[stack.length - 1]] >= t.depth[i]) {
			const left = keyOf(t, stack.pop());

			open.set(left, open.get(left) - 1);
		}
		const key = keyOf(t, i), f = all.get(key) || { key, name: t.texts[t.name[i]], module: t.texts[t.module[i]],
			self: 0, total: 0, nodes: [] };

		all.set(key, f);
		f.self += t.self[i];
		f.total += open.get(key) ? 0 : t.total[i];
		f.nodes.push(i);
		open.set(key, (open.get(key) || 0) + 1);
		stack.push(i);
	}
	return [...all.values()].filter(f => f.total);
}

/* who called a function, and whom it called: shares of its own total */
function neighbours(t, f, callers) {
	const sums = new Map();

	for (const i of f.nodes)
		for (const at of callers ? [t.parent[i]] : t.children[i]) {
			const key = at > 0 ? keyOf(t, at) : "";
			const n = sums.get(key) || { key, name: at > 0 ? t.texts[t.name[at]] : "(nobody)",
				module: at > 0 ? t.texts[t.module[at]] : "", total: 0 };

			if (at > 0 && stackEnd(n.name, n.module)) {
				n.name = `(${endText(stackEnd(n.name, n.module))})`;
				n.key = "";
			}

			sums.set(key, n);
			n.total += t.total[callers ? i : at];
		}
	return [...sums.values()].filter(n => n.total).sort((a, b) => b.total - a.total).slice(0, 30);
}

/* ---- elements */
const columns = [["self", "Self"], ["total", "Total"], ["name", "Function"], ["module", "Module"]];
const body = element("tbody", {}), filter = element("input", { type: "search", placeholder: "functions that contain",
	"aria-label": "functions that contain" });
const headings = columns.map(([key, title]) => element("th", { scope: "col" },
	element("button", { onclick: () => sortBy(key), "data-key": key }, title)));
const more = element("button", { onclick: () => { rowsShown = Infinity; showFunctions(); } }, "show all");
const around = element("section", { id: "around", "aria-live": "polite" });
const section = element("section", { id: "functions" }, element("h2", {}, "Functions"), filter,
	element("table", { class: "rows" }, element("thead", {}, element("tr", {}, ...headings)), body), more);

notes.after(around, section);

/* ---- the recording in a few words */
const summary = element("section", { id: "summary" });
status.before(summary);
function showSummary() {
	const g = data.graphs[+events.value || 0], stacks = factOf("stacks"), lost = +factOf("lost-samples") || 0;
	const length = factOf("last-sample-ns") - factOf("first-sample-ns"), host = factOf("hostname");
	const system = factOf("os-release"), written = factOf("file-written-s");
	const nr = stacks ? Object.values(stacks).reduce((a, b) => a + b, 0) : 0;
	const line = (name, ...text) => element("div", {}, element("span", {}, name), element("span", {}, ...text));

	summary.replaceChildren(...[
		factOf("command-line") && line("Command", element("code", {}, shortName(factOf("command-line")))),
		(host || written) && line("Recorded", [written && new Date(written * 1000).toLocaleString("sv").slice(0, 16),
			host && `on ${host}`, system && `Linux ${system}`, factOf("cpu")].filter(x => x).join(", ") +
			(length > 0 ? `; samples span ${duration(length)}` : "")),
		line("Samples", (g.samples != null ? `${g.samples.toLocaleString("en")} of ` : "") + (g.event || "all") +
			`; ${lost ? `${lost.toLocaleString("en")} were lost` : "none lost"}`),
		stacks && nr && line("Stacks", `${(stacks.complete / nr * 100).toFixed(1)} % complete` + (stacks.complete < nr ? ": others end early (" +
			Object.entries(stacks).filter(([key, v]) => v && key != "complete").map(([key, v]) =>
				`${key.replaceAll("-", " ")} ${(v / nr * 100).toFixed(1)} %`).join(", ") + ")" : "")),
	].filter(x => x));
}

const partOf = v => (v / Math.max(graph.total[0], 1) * 100).toFixed(2) + " %";
const functionButton = f => element("button", { class: "link", title: f.name.length > LONG_NAME ? f.name : "",
	onclick: () => choose(f.key) }, shortName(f.name));
const hasCode = f => { const code = codeOf(f.name, f.module); return code && !code.why; };
const codeButton = f => element("button", { class: "mark", title: "show its code", "aria-label": "code of " + f.name,
	onclick: () => showAround(f.key) }, "code");

function sortBy(key) {
	ascending = order == key ? !ascending : key == "name" || key == "module";
	order = key;
	showFunctions();
}

function showFunctions() {
	const word = filter.value.toLowerCase(), sign = ascending ? 1 : -1;
	/* keys such as the name of a thread are frames, too; stacks that were read from text have no modules */
	const known = functions.some(f => f.module);
	const list = functions.filter(f => (f.module || f.self || !known) && !stackEnd(f.name, f.module)).filter(f => !word || f.name.toLowerCase().includes(word) ||
		f.module.toLowerCase().includes(word));

	list.sort((a, b) => (a[order] < b[order] ? -1 : a[order] > b[order] ? 1 : 0) * sign || b.total - a.total);
	body.replaceChildren(...list.slice(0, rowsShown).map(f => element("tr", f.key == chosen ? { class: "chosen" } : {},
		element("td", { class: "number" }, partOf(f.self)), element("td", { class: "number" }, partOf(f.total)),
		element("td", {}, functionButton(f), ...(hasCode(f) ? [codeButton(f)] : [])),
		element("td", {}, f.module))));
	more.hidden = list.length <= rowsShown;
	for (const th of headings) {
		const key = th.firstChild.dataset.key;

		if (key == order)
			th.setAttribute("aria-sort", ascending ? "ascending" : "descending");
		else
			th.removeAttribute("aria-sort");
	}
	document.body.dataset.functions = list.length;
}

function neighbourTable(title, f, callers) {
	return element("div", {}, element("h3", {}, title), element("table", { class: "rows" }, element("tbody", {},
		...neighbours(graph, f, callers).map(n => element("tr", {}, element("td", { class: "number" }, partOf(n.total)),
			element("td", {}, n.key ? functionButton(n) : shortName(n.name)), element("td", {}, n.module))))));
}

/* a function is chosen: its callers and callees, and its frames in the picture */
function choose(key, keepSearch) {
	const f = functions.find(x => x.key == key);

	chosen = f ? key : "";
	around.replaceChildren();
	if (f) {
		around.append(element("h2", {}, f.name), element("p", {}, `${partOf(f.self)} itself, ${partOf(f.total)} with what it called`),
			element("div", { class: "pair" }, neighbourTable("Called by", f, true), neighbourTable("Calls", f, false)),
			codeSection(f.name, f.module));
		search.value = keepSearch || "^" + f.name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&") + "$";
		find();
	}
	showHottest();
	showFunctions();
}

/* the function and the keyboard go to what is known of it */
function showAround(key) {
	choose(key);
	/* not below the header, which stays at the top */
	around.style.scrollMarginTop = document.querySelector("header").offsetHeight + "px";
	around.scrollIntoView();
	(around.querySelector(".code") || around.querySelector("button") || canvas).focus({ preventScroll: true });
	showHottest();
}

/* the function of the selected frame; a phone has no keys */
const ofFrame = element("button", { hidden: "", onclick: () => showFrame(), title: "what is known of this function (c)" },
	"callers, callees, code");
const frameKey = i => tree.name[i] + ":" + tree.module[i];

function showFrame() {
	if (selected > 0)
		showAround(frameKey(selected));
}
onSelect = i => { ofFrame.hidden = i <= 0; };
keys.c = showFrame;
status.after(ofFrame);
moreFragment.function = () => chosen;

/* the event changed */
function graphChanged() {
	showSummary();
	functions = addFunctions(graph);
	rowsShown = FIRST_ROWS;
	choose(functions.some(f => f.key == chosen) ? chosen : "", search.value);
}
events.addEventListener("change", graphChanged);
filter.addEventListener("input", showFunctions);
filter.addEventListener("keydown", e => e.stopPropagation());
for (const d of document.querySelectorAll("details"))
	d.open = innerWidth > 700;
onSelect(selected);
chosen = link.get("function") || "";
showSummary();
functions = addFunctions(graph);
choose(chosen, link.get("search"));
