import { readFile } from 'node:fs/promises'
import { stringify } from 'yaml'

/** The page of the reference, which is a program in the frame of the others. */
export const PROGRAM_PAGES: Readonly<Record<string, string>> = {
  'reference.md': `---
${stringify({
  title: 'All on one page',
  description: 'All operations and events of the partner payments API, drawn by Redoc.',
  layout: 'page',
  sidebar: false,
  footer: false,
})}---

<ProgramPage script="reference.js"><div id="redoc"></div></ProgramPage>

<noscript>This page needs JavaScript. The pages of the <a href="operations/signIn.html">operations</a> do not.</noscript>
`,
}

const FILES: Readonly<Record<string, string>> = {
  'reference.js': new URL('browser/reference.js', import.meta.url).href,
  'redoc.js': import.meta.resolve('redoc/bundles/redoc.standalone.js'),
}

/** What it loads: Redoc. */
export async function programFiles(): Promise<[name: string, text: string][]> {
  const files = Object.entries(FILES).map(async ([name, url]): Promise<[string, string]> => {
    const text = await readFile(new URL(url), 'utf8')
    return [name, text.replaceAll(/https:\/\/cdn\.redoc\.ly\/redoc\/[a-z-]+\.svg/g, LOGO)]
  })
  return Promise.all(files)
}

/** Redoc would fetch its logo, and drops one that does not load, so this one has to be an image with a size. */
const LOGO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="42" height="16"><text x="0" y="12" font-family="sans-serif" font-size="12" fill="#4666d8">Redoc</text></svg>',
)}`
