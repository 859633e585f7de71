import { readdir, readFile } from 'node:fs/promises'
import { expect, test } from 'vitest'

const FOLDER = new URL('../rules/', import.meta.url)
const PARTS = ['Request', 'Right', 'Wrong', 'What to do']
const MAX_WORDS = 150

const pages = (await readdir(FOLDER)).filter((name) => name.endsWith('.md'))

/** The text of a page without its front matter. */
async function textOf(page: string): Promise<string> {
  return (await readFile(new URL(page, FOLDER), 'utf8')).replace(/^---\n.*?\n---\n/s, '')
}

function wordsIn(text: string): string[] {
  return text.split(/\s+/).filter((word) => /[a-z0-9]/i.test(word))
}

test.each(pages)(
  'it shows in %s a request, both responses and the fix, in that order',
  async (page) => {
    const text = await textOf(page)
    const parts = [...text.matchAll(/^\*\*([^*]+)\.\*\* (?!…)\S/gm)].map(([, part]) => part)
    expect(parts).toEqual(PARTS)
  },
)

test.each(pages)('it says in %s no more than a reader takes in at once', async (page) => {
  expect(wordsIn(await textOf(page)).length).toBeLessThanOrEqual(MAX_WORDS)
})
