import { base } from './address.ts'

/** Changes the HTML of two pages; undefined for all others. */
export function changeHtml(html: string, file: string): string | undefined {
  if (file.endsWith('404.html')) return html.replace('<div id="app">', `${NOT_FOUND}$&`)
  // On a slow network, the table of operations should not wait for programs.
  if (file.endsWith('reference.html')) return html.replaceAll(PRELOADED_PROGRAM, '')
  return undefined
}

/** The page for addresses that do not exist, which is otherwise drawn by JavaScript. */
const NOT_FOUND = `<noscript><main class="vp-doc not-found">
<h1>Page not found</h1>
<p>The page may have moved. Continue at one of these:</p>
<ul>
<li><a href="${base}">The first page</a></li>
<li><a href="${base}guides/getting-started.html">Getting started</a></li>
<li><a href="${base}operations/">All operations</a></li>
<li><a href="${base}behaviour/errors.html">Error codes</a></li>
<li><a href="${base}guides/what-the-service-does-not-have.html">What the service does not have</a></li>
</ul>
</main></noscript>`

const PRELOADED_PROGRAM = /^ *<link rel="modulepreload".*\n/gm
