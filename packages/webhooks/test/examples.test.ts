import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const home = fileURLToPath(new URL('..', import.meta.url))
const source = readdirSync(join(home, 'src'))
  .map((file) => readFileSync(join(home, 'src', file), 'utf8'))
  .join('\n')

const names = [...readFileSync(join(home, 'src/index.ts'), 'utf8').matchAll(/\{ (.*) \}/g)]
  .flatMap(([, list = '']) => list.split(', '))
  .map((name) => name.replace('type ', ''))

/** The example in the JSDoc of an export, if any. */
function exampleOf(name: string): string {
  const declaration = new RegExp(`\\*/\\nexport (?:async )?(?:function|type|class) ${name}\\b`)
  const before = source.slice(0, Math.max(0, source.search(declaration)))
  const docstring = before.slice(before.lastIndexOf('/**'))
  return docstring.split('@example')[1]?.replaceAll(/^ \* ?/gm, '') ?? ''
}

/** The declaration lines of a source file, and whether JSDoc precedes them. */
function documented(declaration: RegExp, text = source): { line: string; docstring: boolean }[] {
  const lines = text.split('\n')
  const declared = lines.flatMap((line, i) => (declaration.test(line) ? [{ line, above: lines[i - 1] }] : []))
  return declared.map(({ line, above }) => ({ line, docstring: above?.trim().endsWith('*/') === true }))
}

test('every export has an example', () => {
  expect(names.length).toBeGreaterThan(10)
  expect(names.filter((name) => exampleOf(name).trim() === '')).toEqual([])
})

test('every export and every property of an exported type has JSDoc', () => {
  const exported = documented(/^export (?!\{|type \{)/)
  const blocks = source.match(/^export (?:type|class) [^\n]*\{\n.*?^\}/gms) ?? []
  const properties = blocks.flatMap((block) =>
    documented(/^ {2}(?:\w+ )*(?:'[\w-]+'|\w+)\??(?:[:(]| =)/, block),
  )
  expect([exported.length, properties.length].every((count) => count > 10)).toBe(true)
  expect([...exported, ...properties].filter(({ docstring }) => !docstring)).toEqual([])
})

test('the JSDoc of the codes explains each of them', () => {
  const [, docstring = '', type = ''] =
    /\/\*\*((?:(?!\/\*\*).)*?)\*\/\nexport type WebhookErrorCode =(.*?)\n\n/s.exec(source) ?? []
  const codes = type.match(/'[a-z\d-]+'/g)?.map((code) => code.slice(1, -1)) ?? []
  expect(codes.length).toBeGreaterThan(10)
  expect([...docstring.matchAll(/^ \* - `([a-z\d-]+)`: \w/gm)].map(([, code]) => code)).toEqual(codes)
})

test('every example compiles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'examples-'))
  const files = names.map((name) => join(folder, `${name}.mts`))
  for (const [i, name] of names.entries()) {
    const imports = `import { ${names.join(', ')} } from '${join(home, 'src/index.ts')}'\n`
    writeFileSync(files[i] ?? '', imports + exampleOf(name))
  }
  const options =
    '--ignoreConfig --noEmit --strict --skipLibCheck --allowImportingTsExtensions --target es2024 --module nodenext --types node --typeRoots'
  const types = join(home, 'node_modules/@types')
  try {
    execFileSync(join(home, 'node_modules/.bin/tsc'), [...options.split(' '), types, ...files], {
      encoding: 'utf8',
    })
  } catch (error) {
    expect((error as { stdout?: string }).stdout).toBe('')
  } finally {
    rmSync(folder, { recursive: true })
  }
})
