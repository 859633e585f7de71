import { readFile } from 'node:fs/promises'
import { stringify } from 'yaml'

/** The pages that are programs, in the frame of the others. */
export const PROGRAM_PAGES: Readonly<Record<string, string>> = {
  'reference.md': page(
    'All on one page',
    'All operations and events of the partner payments API, drawn by Redoc.',
    ['reference.js'],
    '<div id="redoc"></div>',
  ),
  'try.md': page(
    'Try it',
    'Send each request of the partner payments API to a sandbox on your machine.',
    ['console.js', 'try.js'],
    '<div id="main" class="console"></div><div id="console"></div>',
  ),
}

function page(title: string, description: string, scripts: readonly string[], body: string): string {
  const front = stringify({ title, description, layout: 'page', sidebar: false, footer: false })
  const program = `<ProgramPage :scripts='${JSON.stringify(scripts)}'>${body}</ProgramPage>`
  return `---\n${front}---\n\n${program}\n\n<noscript>This page needs JavaScript. The pages of the <a href="operations/signIn.html">operations</a> do not.</noscript>\n`
}

const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['reference.js', 'try.js', 'sandbox.js'].map((name) => [
      name,
      new URL(`browser/${name}`, import.meta.url).href,
    ]),
  ),
  'redoc.js': import.meta.resolve('@redocly/cli/lib/chunks/redoc.standalone.js'),
  'console.js': new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference')).href,
}

/** What those pages load: Redoc, and the console by Scalar. */
export async function programFiles(): Promise<[name: string, text: string][]> {
  const files = Object.entries(FILES).map(async ([name, url]): Promise<[string, string]> => {
    return [name, (await read(url)).replaceAll(/https:\/\/cdn\.redoc\.ly\/redoc\/[a-z-]+\.svg/g, LOGO)]
  })
  return Promise.all(files)
}

function read(url: string): Promise<string> {
  return readFile(new URL(url), 'utf8')
}

/** Redoc would fetch its logo, and drops one that does not load, so this one has to be an image with a size. */
const LOGO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="42" height="16"><text x="0" y="12" font-family="sans-serif" font-size="12" fill="#4666d8">Redoc</text></svg>',
)}`
