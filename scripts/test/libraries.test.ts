import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

const PACKAGES = resolve(import.meta.dirname, '../../packages')
/** By library, the files that list its exports. */
const ENTRIES: Readonly<Record<string, readonly string[]>> = {
  brcode: ['index.ts', 'hints.ts'],
  validator: ['index.ts'],
  webhooks: ['index.ts'],
}
const LIBRARIES = Object.keys(ENTRIES)

describe.each(LIBRARIES)('the documentation of %s', (library) => {
  const files = globSync([`${library}/src/**/*.ts`, 'contract/src/json/pointer.ts'], {
    cwd: PACKAGES,
  })
  const source = files.map(read).join('\n')
  const names = namesIn(library)

  it('has an example for every export', () => {
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => exampleOf(name, source).trim() === '')).toEqual([])
  })

  it('describes every property of an exported type', () => {
    const types = names.flatMap((name) => declarationOf(name, source))
    const lines = types.flatMap((declaration) =>
      declaration.map((line, index) => ({ line, above: declaration[index - 1] })),
    )
    const properties = lines.filter(({ line }) => PROPERTY.test(line) && !isParameter(line))
    expect(properties.length).toBeGreaterThan(10)
    expect(properties.filter(({ above }) => !above?.endsWith('*/'))).toEqual([])
  })

  it('has examples that compile', () => {
    const folder = mkdtempSync(join(tmpdir(), 'examples-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const imports = importsOf(library)
    for (const [i, name] of names.entries())
      writeFileSync(join(folder, `${i}-${name}.mts`), imports + exampleOf(name, source))
    expect(compile(library, folder)).toBe('')
  })
})

it('describes each code of a WebhookError', () => {
  const declaration = /\/\*\*((?:(?!\/\*\*).)*?)\*\/\nexport type WebhookErrorCode =(.*?)\n\n/s
  const [, docstring = '', type = ''] = declaration.exec(read('webhooks/src/error.ts')) ?? []
  const codes = Array.from(type.matchAll(/'([a-z\d-]+)'/g), ([, code]) => code)
  const items = docstring.matchAll(/^ \* - `([a-z\d-]+)`: \w/gm)
  expect(codes.length).toBeGreaterThan(10)
  expect(Array.from(items, ([, code]) => code)).toEqual(codes)
})

it('links in READMEs by absolute URLs only, which work on npm', () => {
  const links = globSync('*/README.md', { cwd: PACKAGES }).flatMap((file) => [
    ...read(file).matchAll(/\]\(([^)]+)\)|\]: *(\S+)/g),
  ])
  expect(links.length).toBeGreaterThan(5)
  const targets = links.map(([, inline, named]) => inline ?? named ?? '')
  const isAbsolute = (target: string) => target.startsWith('https:') || target.startsWith('#')
  expect(targets.filter((target) => !isAbsolute(target))).toEqual([])
})

it.each([
  {
    library: 'validator',
    index: 0,
    printed:
      /^\/amount expected string .* bounds\n\/dict_key expected a value, got nothing fact\n$/,
  },
  { library: 'validator', index: 1, printed: /^405 POST\n$/ },
  { library: 'webhooks', index: 0, printed: /^qrcode.paid\n$/ },
])('the README of $library has a program $index that runs', ({ library, index, printed }) => {
  const programs = [...read(`${library}/README.md`).matchAll(/```ts\n(.*?)```/gs)]
  const args = ['--input-type=module-typescript', '--eval', programs[index]?.[1] ?? '']
  const output = execFileSync(process.execPath, args, {
    cwd: join(PACKAGES, library),
    encoding: 'utf8',
  })
  expect(output).toMatch(printed)
})

const PROPERTY =
  /^ {2,4}(?!super\b)(?:(?:override|declare|readonly) )*(?:'[\w-]+'|\w+)\??(?:: |\()|^ {2}(?:constructor|override)\b/

/** A parameter of a method that has a line of its own. Properties end without a comma. */
function isParameter(line: string): boolean {
  return line.endsWith(',')
}

function read(file: string): string {
  return readFileSync(join(PACKAGES, file), 'utf8')
}

/** The names that a library exports. */
function namesIn(library: string): string[] {
  const names = entriesOf(library).flatMap((entry) => namesInFile(join(library, 'src', entry)))
  return [...new Set(names)]
}

function namesInFile(file: string): string[] {
  const lists = [...read(file).matchAll(/\{(.*?)\}/gs)].flatMap(([, list = '']) => list.split(','))
  return lists.map((name) => name.replace('type ', '').trim()).filter(Boolean)
}

/** Statements that import all exports; a name that two entries have comes from the first. */
function importsOf(library: string): string {
  const imported = new Set<string>()
  const statements = entriesOf(library).map((entry) => {
    const file = join(library, 'src', entry)
    const names = namesInFile(file).filter((name) => !imported.has(name))
    for (const name of names) imported.add(name)
    return `import { ${names.join(', ')} } from '${join(PACKAGES, file)}'\n`
  })
  return statements.join('')
}

function entriesOf(library: string): readonly string[] {
  return ENTRIES[library] ?? []
}

/** The example in the JSDoc right before the declaration of an export, if any. */
function exampleOf(name: string, source: string): string {
  const declaration = `\\*/\\nexport (?:async )?(?:function|type|interface|class) ${name}\\b`
  const at = source.search(new RegExp(declaration))
  if (at < 0) return ''
  const docstring = source.slice(source.lastIndexOf('/**', at), at)
  const [, example = ''] = docstring.split(' * @example\n')
  return example.replace(/^ \* @.*/ms, '').replaceAll(/^ \* ?/gm, '')
}

/** The lines of a type, up to the next declaration in the first column. */
function declarationOf(name: string, source: string): string[][] {
  const at = source.search(new RegExp(`^export (?:type|interface|class) ${name}\\b`, 'm'))
  if (at < 0) return []
  const [declaration = ''] = source.slice(at).split(/\n(?=[a-z/])/)
  return [declaration.split('\n')]
}

/** What the compiler prints about the files of a folder. */
function compile(library: string, folder: string): string {
  symlinkSync(join(PACKAGES, library, 'node_modules'), join(folder, 'node_modules'))
  const compilerOptions = {
    noEmit: true,
    strict: true,
    exactOptionalPropertyTypes: true,
    skipLibCheck: true,
    allowImportingTsExtensions: true,
    resolveJsonModule: true,
    target: 'es2024',
    module: 'nodenext',
    types: ['node'],
  }
  const project = { compilerOptions, include: ['*.mts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(project))
  const tsc = join(PACKAGES, library, 'node_modules/.bin/tsc')
  return spawnSync(tsc, ['-p', folder]).stdout.toString()
}
