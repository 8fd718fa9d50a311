/** The page's own style: no font, script or picture from elsewhere. */
export const STYLE = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --paper: #fff; --line: #dde2e9; --good: #3f74b5;
  --bad: #c2452d; --mark: #1c2430; --tint: #f5f7fa; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6eaf0; --soft: #a0abba; --paper: #14181f; --line: #313a47;
  --good: #7fb0ea; --bad: #f08a72; --mark: #e6eaf0; --tint: #1b212a; } }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.6rem; margin: 0 0 .25rem; } h2 { font-size: 1.15rem; margin: 2.25rem 0 .5rem; }
p { margin: .25rem 0 .75rem; } .soft-text { color: var(--soft); }
.facts { display: flex; flex-wrap: wrap; gap: .75rem; margin: 1.25rem 0 0; padding: 0; list-style: none; }
.facts li { background: var(--tint); border: 1px solid var(--line); border-radius: .5rem; padding: .5rem .9rem; }
.facts b { display: block; font-size: 1.25rem; font-variant-numeric: tabular-nums; }
.facts .alarm b { color: var(--bad); }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; min-width: 36rem; font-variant-numeric: tabular-nums; }
th, td { text-align: left; padding: .35rem .75rem .35rem 0; border-bottom: 1px solid var(--line); vertical-align: middle; }
th { color: var(--soft); font-weight: 600; font-size: .85rem; } td.n, th.n { text-align: right; white-space: nowrap; }
tr.flagged td:first-child { font-weight: 600; white-space: nowrap; color: var(--bad); }
.bar { display: block; overflow: visible; margin-right: .5rem; } .track { fill: var(--line); } .mark { fill: var(--mark); }
.good { fill: var(--good); } .bad { fill: var(--bad); } .soft { opacity: .45; }
footer { margin-top: 2rem; color: var(--soft); }
details { margin: .5rem 0; } summary { cursor: pointer; } code { font-size: .85em; overflow-wrap: anywhere; }
`;
