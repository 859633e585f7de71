import { readdir, readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'

const ROOT = new URL('../../', import.meta.url)
const read = (path: string) => readFile(new URL(path, ROOT), 'utf8')
const guides = (await readdir(new URL('docs/guides', ROOT))).map((name) => `docs/guides/${name}`)
const texts = [...guides, 'README.md']

const { engines } = JSON.parse(await read('packages/cli/package.json'))
const [, oldest = ''] = /^>=([\d.]+)$/.exec(engines.node) ?? []

it.each(texts)('%s asks for the Node that the commands need, in the same words', async (path) => {
  const text = (await read(path)).replaceAll('\n', ' ')
  const asked = text.match(/(?:needs?|,|with) Node [\d.]+ or later/g) ?? []
  const isRight = (words: string) => words.includes(` Node ${oldest} `)
  expect(asked.filter((words) => !isRight(words))).toEqual([])
})

it.each(['docs/guides/getting-started.md', 'README.md'])(
  '%s says with which Node a clone begins',
  async (path) => {
    const text = (await read(path)).replaceAll('\n', ' ')
    expect(text).toMatch(/Node [\d.]+ or later.* \(a clone on Linux x64 also starts with Node 20\)/)
  },
)

it.each(texts)('%s says of the first start what was measured, if it says so', async (path) => {
  expect(await read(path)).not.toMatch(/takes about a minute|takes a minute/)
})

it('measures the first start', async () => {
  expect(await read('CONTRIBUTING.md')).toMatch(/\| first start \|.*\| 17 to 20, up to 60 /)
})

it('needs no clone for the checker', async () => {
  const text = await read('docs/guides/checking-a-service.md')
  expect(text).toContain('npx partner-payments check')
})
