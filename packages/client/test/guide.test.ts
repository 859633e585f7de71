import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sample } from '@partner-payments/campaign'
import { type RunningMock, serve } from '@partner-payments/mock'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openInEditor } from './editor.ts'

const pages = [
  '../../../README.md',
  '../README.md',
  '../../../docs/guides/using-the-client.md',
  '../../../docs/guides/paying-a-code.md',
]

let mock: RunningMock
beforeAll(async () => {
  mock = await serve({ port: 0 })
})
afterAll(() => mock.close())

const programs = new Map(
  pages.map((page) => [page, programsOf(readFileSync(new URL(page, import.meta.url), 'utf8'))]),
)
const [right = ''] = programs.get('../README.md') ?? []
const wrong = right.replace('keys.check', 'keys.look')
const editor = openInEditor([...programs.values(), wrong].flat())

describe.each([...programs])('%s', (_page, programs) => {
  test.each(programs)('program %$ compiles', (program) => {
    expect(editor.errorsOf(program)).toEqual([])
  })

  const run = sample(programs.map((program) => [program]))
  test.each(run)('program %$ of those that run prints what its comments say', async (program) => {
    expect(await printedBy(program)).toEqual(saidBy(program))
  })
})

test('an invalid program neither compiles nor runs', async () => {
  expect(editor.errorsOf(wrong)).toEqual(["Property 'look' does not exist on type 'Keys'."])
  await expect(printedBy(wrong)).rejects.toThrow('keys.look')
})

/** The code blocks of a page. Each one starts with the first block up to its `payments`. */
function programsOf(text: string): string[] {
  const [first = '', ...others] = [...text.matchAll(/```ts\n(.*?)```/gs)].map(([, block = '']) => block)
  const [start] = /.* = createPayments\(.*?\)\n/s.exec(first) ?? []
  if (!start) throw new Error('the first program does not create `payments`')
  return [first, ...others.map((block) => withStart(start, block))]
}

/** Removes imports that the block repeats. */
function withStart(start: string, block: string): string {
  return /import \{.*createPayments/.test(block) ? start.replace(/import.*\n/, '') + block : start + block
}

function saidBy(program: string): string[] {
  return [...program.matchAll(/console\.log\(.*\) \/\/ (.*)/g)].map(([, comment = '']) => comment)
}

async function printedBy(program: string): Promise<string[]> {
  const cwd = fileURLToPath(new URL('..', import.meta.url))
  const running = promisify(execFile)(process.execPath, ['--input-type=module-typescript', '-'], { cwd })
  running.child.stdin?.end(program.replace('http://127.0.0.1:4010', mock.url))
  const { stdout } = await running
  return stdout.split('\n').slice(0, -1)
}

test('every link of the README is absolute, so that it works on npm', () => {
  const links = [
    ...readFileSync(new URL('../README.md', import.meta.url), 'utf8').matchAll(/\]\(([^)]+)\)/g),
  ].map(([, link]) => link)
  expect(links.length).toBeGreaterThan(0)
  expect(links.filter((link) => !/^(https:\/\/|#)/.test(link ?? ''))).toEqual([])
})
