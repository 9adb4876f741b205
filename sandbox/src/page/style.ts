/** The style sheet of all sandbox pages, for light and dark mode, without external resources. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --paper: #f6f5f2; --surface: #ffffff; --line: #d9d6cf; --ink: #1d2027; --soft: #545963;
  --main: #0b5f76; --on-main: #ffffff; --ribbon: #ffd9a0; --on-ribbon: #4a2c00;
  --good: #1c6a35; --bad: #b3201f; --bad-paper: #fdecea;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #14161c; --surface: #1d2029; --line: #3a3f4b; --ink: #f1efe9; --soft: #b4b8c1;
    --main: #7fd0e4; --on-main: #06222b; --ribbon: #4d3510; --on-ribbon: #ffdca6;
    --good: #86d79f; --bad: #ff9a92; --bad-paper: #3a1f20;
  }
}
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.5 Figtree, system-ui, sans-serif; }
.ribbon { background: var(--ribbon); color: var(--on-ribbon); text-align: center; font-weight: 600; font-size: 14px; }
.ribbon p { margin: 0; padding: 8px 16px; }
main { margin: 24px auto; padding: 0 16px 48px; }
.narrow { max-width: 448px; }
.wide { max-width: 1120px; }
h1 { font-size: 22px; line-height: 1.25; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 18px; line-height: 1.3; margin: 24px 0 8px; }
p { margin: 0 0 12px; }
a { color: var(--main); }
h3 { font-size: 16px; margin: 0 0 4px; }
.card { background: var(--surface); border: 1px solid var(--line); border-radius: 16px; padding: 24px; margin-bottom: 16px; }
.amount { font-size: 36px; line-height: 1.2; font-weight: 700; font-variant-numeric: tabular-nums; margin: 8px 0 16px; }
.soft, .hint { color: var(--soft); font-size: 14px; }
.hint { margin: 4px 0 0; }
.field { margin: 0 0 16px; min-width: 0; }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 16px; }
label { display: block; font-weight: 600; font-size: 14px; margin-bottom: 4px; }
input, select { width: 100%; min-height: 44px; padding: 8px 12px; border: 1px solid var(--soft); border-radius: 10px;
  background: var(--surface); color: var(--ink); font: inherit; }
input[aria-invalid=true] { border-color: var(--bad); border-width: 2px; }
.wrong { color: var(--bad); font-size: 14px; margin: 4px 0 0; }
.alert { background: var(--bad-paper); color: var(--bad); border: 1px solid var(--bad); border-radius: 10px; padding: 12px 16px; margin: 0 0 16px; }
.alert p:last-child { margin: 0; }
.good { color: var(--good); }
button, .button { display: inline-block; min-height: 44px; padding: 10px 20px; border-radius: 10px; border: 1px solid var(--main);
  background: var(--surface); color: var(--main); font: inherit; font-weight: 600; text-align: center; text-decoration: none; cursor: pointer; }
.main { background: var(--main); color: var(--on-main); }
.full { width: 100%; }
form + form { margin-top: 12px; }
.or { text-align: center; color: var(--soft); margin: 12px 0; font-size: 14px; }
.cancel { display: inline-block; padding: 10px 0; }
:focus-visible { outline: 3px solid var(--main); outline-offset: 2px; }
ul.plain { list-style: none; margin: 0; padding: 0; }
ul.plain li { padding: 8px 0; border-top: 1px solid var(--line); }
ul.plain li:first-child { border-top: 0; }
ul.plain.mails li { padding: 12px 16px; }
article.card dl { margin-top: 12px; }
p, dd, li { overflow-wrap: anywhere; }
.number { font-variant-numeric: tabular-nums; font-weight: 600; display: inline-block; padding: 4px 0; }
.mails a { font-weight: 600; display: inline-block; padding: 4px 0; overflow-wrap: anywhere; }
.mails p, .cards span { display: block; margin: 0; overflow-wrap: anywhere; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
caption { text-align: left; font-weight: 600; padding: 4px 0; }
th, td { text-align: left; padding: 8px 12px 8px 0; border-top: 1px solid var(--line); vertical-align: top; overflow-wrap: anywhere; }
td.money { font-variant-numeric: tabular-nums; white-space: nowrap; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 13px; margin: 8px 0; }
.text { white-space: pre-wrap; overflow-wrap: anywhere; }
.row { display: flex; flex-wrap: wrap; gap: 12px; align-items: end; }
form.row + * { margin-top: 16px; }
.row .field { flex: 1 1 160px; margin: 0; }
summary { cursor: pointer; padding: 8px 0; font-weight: 600; }
dl { display: grid; grid-template-columns: auto 1fr; gap: 4px 16px; margin: 0 0 16px; }
dt { color: var(--soft); }
dd { margin: 0; overflow-wrap: anywhere; }
`;
