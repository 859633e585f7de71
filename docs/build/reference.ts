import { readFile } from 'node:fs/promises'
import { CONTENT_POLICY } from '../.vitepress/policy.ts'

const PAGES = [
  ['reference', 'Reference', '<main id="main"><div id="redoc"></div></main>'],
  [
    'try',
    'Try it',
    '<main id="main" class="console"></main><div id="console"></div>\n<script src="console.js"></script>',
  ],
] as const

const FILES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['reference.js', 'try.js', 'sandbox.js', 'assumptions.js', 'marks.css', 'static.css'].map((name) => [
      name,
      new URL(`browser/${name}`, import.meta.url).href,
    ]),
  ),
  'redoc.js': import.meta.resolve('@redocly/cli/lib/chunks/redoc.standalone.js'),
  'console.js': new URL('browser/standalone.js', import.meta.resolve('@scalar/api-reference')).href,
}

/** The pages that VitePress does not make, and what they load: the reference by Redoc, and the console by Scalar. */
export async function programFiles(): Promise<[name: string, text: string][]> {
  const template = await read(new URL('browser/page.html', import.meta.url).href)
  const pages = PAGES.map(([name, title, body]): [string, string] => {
    const values: Readonly<Record<string, string>> = { name, title, body, policy: CONTENT_POLICY }
    return [
      `${name}.html`,
      template.replaceAll(/\{(name|title|body|policy)\}/g, (_, key) => values[key] ?? ''),
    ]
  })
  const files = Object.entries(FILES).map(async ([name, url]): Promise<[string, string]> => {
    return [name, (await read(url)).replaceAll(/https:\/\/cdn\.redoc\.ly\/redoc\/[a-z-]+\.svg/g, LOGO)]
  })
  return [...pages, ...(await Promise.all(files))]
}

function read(url: string): Promise<string> {
  return readFile(new URL(url), 'utf8')
}

/** Redoc would fetch its logo, and drops one that does not load, so this one has to be an image with a size. */
const LOGO = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" width="42" height="16"><text x="0" y="12" font-family="sans-serif" font-size="12" fill="#4666d8">Redoc</text></svg>',
)}`
