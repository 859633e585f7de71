import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const root = `${import.meta.dirname}/../..`

/**
 * Code that reads input from outside: what people install, and the pages and the server of the
 * docs.
 */
const FILES = ['packages/*/src/**/*.ts', 'docs/.vitepress/**/*.ts', 'docs/build/browser/*.ts']

/**
 * Milliseconds of CPU time; linear ones take about one. Below the 50 of the title, so that no
 * machine is too fast.
 */
const LIMIT_MS = 20

/** A literal begins where no operand ends. */
const LITERAL =
  /(?<=[=([{,:!&|?>]\s*|\breturn )\/(?![*/])((?:[^\\/[\n]|\\.|\[(?:[^\\\]\n]|\\.)*\])+)\/([dgimsuvy]*)/g

it('finds the regular expressions of the packages and the contract', () => {
  // Far fewer would mean that the search no longer finds them.
  expect(literals().length).toBeGreaterThan(200)
  expect(patterns().length).toBeGreaterThan(20)
})

/** The third reads strings of JSON, and stalls on one that never ends. */
const SLOW = [
  /\/+$/,
  /^ *([^=]+?) *= *"?([^"]*?)"? *$/,
  /"(?:[^"\\]|\\.)*"/g,
  /\s*,\s*/,
  /\{[^}]*\}/,
]

it('finds an attack on a regular expression whose time grows with the square or the cube of the length', () => {
  for (const slow of SLOW) expect(slowAttack(slow)).toBeDefined()
})

it('reads 16,000 hostile characters in less than 50 ms with every regular expression', () => {
  const places = new Map<string, RegExp>()
  for (const [file, regex] of [...literals(), ...patterns()]) places.set(`${file}: ${regex}`, regex)

  const slow: string[] = []
  for (const [place, regex] of places) {
    const attack = slowAttack(regex)
    if (attack !== undefined) slow.push(`${place} on ${attack}`)
  }
  expect(slow).toEqual([])
})

function literals(): [file: string, regex: RegExp][] {
  return globSync(FILES, { cwd: root, exclude: ['**/generated/**'] }).flatMap((file) => {
    const code = readFileSync(`${root}/${file}`, 'utf8')
    const found = [...code.matchAll(LITERAL)]
    return found.map(([, source = '', flags]): [string, RegExp] => [
      file,
      new RegExp(source, flags),
    ])
  })
}

/** The patterns of the built contract, which the validators compile. */
function patterns(): [file: string, regex: RegExp][] {
  const file = 'spec/dist/openapi.json'
  const found: [string, RegExp][] = []
  JSON.parse(readFileSync(`${root}/${file}`, 'utf8'), (key, value) => {
    if (key === 'pattern' && typeof value === 'string') found.push([file, new RegExp(value, 'u')])
    return value
  })
  return found
}

/** The start of a text that takes too long: a part that repeats, with or without a start. */
function slowAttack(regex: RegExp): string | undefined {
  const parts = partsOf(regex)
  for (const start of ['', 'a ', parts.join('')]) {
    for (const part of parts) {
      // Short texts first, since the time of a long one may have no end.
      for (const length of [25, 400, 1_000, 2_500, 6_000, 16_000]) {
        const text = `${start}${part.repeat(length / part.length)}\n\0`
        if (isSlow(() => text.replace(regex, ''))) return JSON.stringify(text.slice(0, 20))
      }
    }
  }
  return undefined
}

/** Measures twice, since other work of the process may count once. */
function isSlow(run: () => unknown): boolean {
  return milliseconds(run) >= LIMIT_MS && milliseconds(run) >= LIMIT_MS
}

/**
 * Strings to repeat: the literal runs of a regular expression, their characters, and one of each
 * common class.
 */
function partsOf({ source }: RegExp): string[] {
  const escaped = Array.from(source.matchAll(/\\(\W)/g), ([, character = '']) => character)
  const runs = source.match(/[^\\()[\]|*+?^$.]+/g) ?? []
  const characters = [...runs.join('')]
  return [...new Set([...escaped, ...runs, ...characters, ...COMMON, ...STARTS])]
}

const COMMON = ['a', 'A', '0', ' ', '\t', '\n', '"', '{']
/** Starts that never end: escaped quotes and backslashes, brackets in brackets, comments. */
const STARTS = ['\\"', '\\\\', '"\\', '"a', '{{', '[[', '((', '<!--', '/*', '`']

function milliseconds(run: () => unknown): number {
  const before = process.threadCpuUsage()
  run()
  const { user, system } = process.threadCpuUsage(before)
  return (user + system) / 1000
}
