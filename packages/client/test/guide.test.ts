import { expect, test } from 'vitest'
import { openInEditor } from './editor.ts'
import { programs, readPage } from './programs.ts'

const wrong = programs.get('../README.md')?.[0]?.replace('keys.check', 'keys.look') ?? ''
const editor = openInEditor([...programs.values(), wrong].flat())

test.each([...programs])('the programs of %s compile', (_page, all) => {
  expect(all.flatMap((program) => editor.errorsOf(program))).toEqual([])
})

test('an invalid program does not compile', () => {
  expect(editor.errorsOf(wrong)).toEqual(["Property 'look' does not exist on type 'Keys'."])
})

test('every link of the README is absolute, so that it works on npm', () => {
  const links = [...readPage('../README.md').matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link)
  expect(links.length).toBeGreaterThan(0)
  expect(links.filter((link) => !/^(https:\/\/|#)/.test(link))).toEqual([])
})
