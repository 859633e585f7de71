import { Marked } from 'marked'
import { type BundledLanguage, createHighlighter, type Highlighter } from 'shiki'
import { escapeHtml } from './page.ts'

/** Turns Markdown into HTML. */
export type Markdown = (text: string) => string

/** HTML for what stands after the colon of `{{name:id}}`, by name. */
export type Directives = Record<string, (id: string) => string>

const LANGUAGES: BundledLanguage[] = ['sh', 'ts', 'js', 'json', 'http', 'yaml']

let highlighter: Promise<Highlighter> | undefined

/** A renderer with highlighted code, an anchor at every heading, and the directives. */
export async function markdown(directives: Directives): Promise<Markdown> {
  highlighter ??= createHighlighter({ themes: ['github-light', 'github-dark'], langs: LANGUAGES })
  const { codeToHtml } = await highlighter
  const marked = new Marked({
    extensions: [directiveExtension(directives)],
    walkTokens: (token) => {
      if (token.type === 'link') token.href = pageOf(token.href)
    },
    renderer: {
      code: ({ text, lang }) => codeToHtml(text, { lang: languageOf(lang), ...THEMES }),
      heading({ tokens, depth, text }) {
        const id = slug(text)
        return `<h${depth} id="${id}"><a class="anchor" href="#${id}">${this.parser.parseInline(tokens)}</a></h${depth}>\n`
      },
    },
  })
  return (text) => marked.parse(text, { async: false })
}

const THEMES = {
  themes: { light: 'github-light', dark: 'github-dark' },
  defaultColor: 'light-dark()',
} as const

function languageOf(lang: string | undefined): BundledLanguage | 'text' {
  return LANGUAGES.find((known) => known === lang) ?? 'text'
}

function directiveExtension(directives: Directives) {
  return {
    name: 'directive',
    level: 'inline' as const,
    start: (text: string) => text.indexOf('{{'),
    tokenizer(text: string) {
      const [raw, name = '', id = ''] = /^\{\{([a-z]+):([\w-]+)\}\}/.exec(text) ?? []
      return raw ? { type: 'directive', raw, name, id } : undefined
    },
    renderer({ name, id }: { name?: string; id?: string; [key: string]: unknown }) {
      const render = directives[name ?? '']
      if (!render) throw new Error(`there is no directive "${name}"`)
      return render(escapeHtml(id ?? ''))
    },
  }
}

/** Guides and rules refer to each other by their files, so that the links work in both forms. */
function pageOf(href: string): string {
  if (href === '../rules/') return '../rules/index.html'
  if (href === '../../spec/open-questions.yaml') return '../open-questions.html'
  return href.replace(/^((?:\.\.\/(?:guides|rules)\/)?[\w-]+)\.md(?=#|$)/, '$1.html')
}

function slug(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/\{\{.*?\}\}/g, '')
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replaceAll(/^-|-$/g, '')
}
