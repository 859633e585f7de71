// Writes the front matter and the advice of each file in docs/rules from its rule. The rest of a
// file is written by hand. The site shows the rules of a subject on one page.
//
//   npx -y pnpm@12 exec node scripts/rule-pages.ts
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { readSubject } from '../src/report/result.ts'
import { rules } from '../src/rules/index.ts'
import type { Rule } from '../src/rules/rule.ts'

export const PAGES = new URL('../../../docs/rules/', import.meta.url)

/** A new page, to be completed. */
const EMPTY = 'When it has a case.\n\n**Request.** …\n\n**Right.** …\n\n**Wrong.** …\n'

/** The page of a rule, with what its author wrote. */
export function pageOf({ id, says, advice }: Rule, text = EMPTY): string {
  const written = text
    .replace(/^---\n.*?\n---\n+/s, '')
    .replace(/\n*\*\*What to do\.\*\* [^\n]*\n*$/, '')
  const front = `---\nsubject: ${readSubject(id)}\nsummary: ${JSON.stringify(says)}\n---`
  return `${front}\n\n${written.trim()}\n\n**What to do.** ${advice}\n`
}

/** The text of a page; undefined if there is none. */
export function textOf(id: string): string | undefined {
  const file = new URL(`${id}.md`, PAGES)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

/** The ids of all pages. */
export function pageIds(): string[] {
  const pages = readdirSync(PAGES).filter((name) => name.endsWith('.md'))
  return pages.map((name) => name.slice(0, -'.md'.length))
}

if (import.meta.main) {
  for (const rule of rules)
    writeFileSync(new URL(`${rule.id}.md`, PAGES), pageOf(rule, textOf(rule.id)))
  const ids = new Set(rules.map(({ id }) => id))
  for (const id of pageIds()) if (!ids.has(id)) console.log(`docs/rules/${id}.md has no rule`)
}
