/** What a page of ours is made of; `root` leads from the page to the top of the site. */
export type Page = { title: string; root: string; current: Section; style: string; main: string }

/** The parts of the site, as the navigation names them. */
type Section = 'home' | 'guides' | 'reference' | 'resources' | 'errors' | 'questions' | 'rules'

/**
 * Nothing is loaded but what the page carries: it works from a file, and no reader is observed. `self` is for the
 * reload of the development server.
 */
export const CONTENT_POLICY =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'; base-uri 'none'; form-action 'none'"

/** A whole page with its navigation. `main` and `style` are trusted HTML and CSS. */
export function page({ title, root, current, style, main }: Page): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${escapeHtml(title)} - Partner payments</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${CONTENT_POLICY}">
<style>
${style}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
${header({ root, current })}
<main id="main">
${main}
</main>
<footer class="bottom">
<p>Built from the contract, which is written from one document that describes the service.
Where the document is silent, the contract has <a href="${root}open-questions.html">assumptions</a>, which are marked.</p>
</footer>
</body>
</html>
`
}

/** The bar at the top of every page, the reference included. */
export function header({ root, current }: Pick<Page, 'root' | 'current'>): string {
  const link = ([section, href, text]: readonly [Section, string, string]) =>
    `<a href="${root}${href}"${section === current ? ' aria-current="true"' : ''}>${text}</a>`
  return `<header class="top">
<a class="brand" href="${root}index.html">Partner<span> payments</span></a>
<nav aria-label="Site">${LINKS.map(link).join('')}</nav>
</header>`
}

const LINKS = [
  ['guides', 'guides/getting-started.html', 'Guides'],
  ['reference', 'reference.html', 'Reference'],
  ['resources', 'behaviour/index.html', 'Resources'],
  ['errors', 'behaviour/errors.html', 'Errors'],
  ['questions', 'open-questions.html', 'Open questions'],
  ['rules', 'rules/index.html', 'Rules'],
] as const

/** Text as it may stand in HTML, attributes included. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
