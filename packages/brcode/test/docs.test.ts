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

const names = [...readFileSync(join(home, 'src/index.ts'), 'utf8').matchAll(/\{(.*?)\}/gs)]
  .flatMap(([, list = '']) => list.split(','))
  .map((name) => name.replace('type ', '').trim())
  .filter((name) => name !== '')

/** The JSDoc right before the declaration of an export, if any. */
function docstringOf(name: string): string {
  const at = source.search(new RegExp(`\\*/\\nexport (?:function|type|interface|class) ${name}\\b`))
  return at < 0 ? '' : source.slice(source.lastIndexOf('/**', at), at)
}

function exampleOf(name: string): string {
  const [, example = ''] = docstringOf(name).split(' * @example\n')
  return example.replace(/^ \* @.*/ms, '').replaceAll(/^ \* ?/gm, '')
}

/** The properties of a type without JSDoc. */
function bareMembersOf(name: string): string[] {
  const at = source.search(new RegExp(`^(?:export )?(?:type|interface|class) ${name}\\b`, 'm'))
  // Up to the next declaration in the first column.
  const [declaration = ''] = at < 0 ? [] : source.slice(at).split(/\n(?=[a-z/])/)
  const lines = declaration.split('\n')
  return lines.filter((line, i) => isMember(line) && !lines[i - 1]?.endsWith('*/'))
}

function isMember(line: string): boolean {
  return /^ +(?:(?:override|declare|readonly) )*\w+\??: |^ +(?:constructor|override)\b/.test(line)
}

test('every export has JSDoc and an example', () => {
  expect(names).toHaveLength(21)
  expect(names.filter((name) => exampleOf(name).trim() === '')).toEqual([])
})

test('every property of an exported type has JSDoc', () => {
  for (const name of [...names, 'CommonFields']) expect(bareMembersOf(name), name).toEqual([])
})

test('every example compiles', () => {
  const folder = mkdtempSync(join(tmpdir(), 'examples-'))
  const files = names.map((name, i) => join(folder, `${i}-${name}.mts`))
  for (const [i, name] of names.entries()) {
    const imports = `import { ${names.join(', ')} } from '${join(home, 'src/index.ts')}'\n`
    writeFileSync(files[i] ?? '', imports + exampleOf(name))
  }
  const options =
    '--ignoreConfig --noEmit --strict --exactOptionalPropertyTypes --skipLibCheck --allowImportingTsExtensions --target es2024 --module nodenext --types node --typeRoots'
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
