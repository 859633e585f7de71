import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

const PACKAGES = resolve(import.meta.dirname, '../../packages')
const LIBRARIES = ['brcode', 'validator', 'webhooks']
const read = (file: string) => readFileSync(join(PACKAGES, file), 'utf8')

describe.each(LIBRARIES)('the documentation of %s', (library) => {
  const source = globSync([`${library}/src/*.ts`, 'text/src/*.ts'], { cwd: PACKAGES })
    .map(read)
    .join('\n')
  const names = namesIn(library)

  it('has an example for every export', () => {
    expect(names.length).toBeGreaterThan(10)
    expect(names.filter((name) => exampleOf(name, source).trim() === '')).toEqual([])
  })

  it('describes every property of an exported type', () => {
    const types = names.flatMap((name) => declarationOf(name, source))
    const properties = types.flatMap((lines) =>
      lines.map((line, i) => ({ line, above: lines[i - 1] })),
    )
    const declared = properties.filter(({ line }) => PROPERTY.test(line))
    expect(declared.length).toBeGreaterThan(10)
    expect(declared.filter(({ above }) => !above?.endsWith('*/'))).toEqual([])
  })

  it('has examples that compile', () => {
    const folder = mkdtempSync(join(tmpdir(), 'examples-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const index = join(PACKAGES, library, 'src/index.ts')
    for (const [i, name] of names.entries()) {
      const imports = `import { ${names.join(', ')} } from '${index}'\n`
      writeFileSync(join(folder, `${i}-${name}.mts`), imports + exampleOf(name, source))
    }
    expect(compile(library, folder)).toBe('')
  })
})

it('describes each code of a WebhookError', () => {
  const [, docstring = '', type = ''] =
    /\/\*\*((?:(?!\/\*\*).)*?)\*\/\nexport type WebhookErrorCode =(.*?)\n\n/s.exec(
      read('webhooks/src/error.ts'),
    ) ?? []
  const codes = [...type.matchAll(/'([a-z\d-]+)'/g)].map(([, code]) => code)
  expect(codes.length).toBeGreaterThan(10)
  expect([...docstring.matchAll(/^ \* - `([a-z\d-]+)`: \w/gm)].map(([, code]) => code)).toEqual(
    codes,
  )
})

it('links in READMEs by absolute URLs only, which work on npm', () => {
  const links = globSync('*/README.md', { cwd: PACKAGES }).flatMap((file) => [
    ...read(file).matchAll(/\]\(([^)]+)\)|\]: *(\S+)/g),
  ])
  expect(links.length).toBeGreaterThan(5)
  expect(
    links.map(([, inline, named]) => inline ?? named).filter((it) => !/^(https:|#)/.test(it ?? '')),
  ).toEqual([])
})

it.each([
  [
    'validator',
    0,
    /^\/amount expected string .* bounds\n\/dict_key expected a value, got nothing fact\n$/,
  ],
  ['validator', 1, /^405 POST\n$/],
  ['webhooks', 0, /^qrcode.paid\n$/],
])('the README of %s has a program %i that runs', (library, index, printed) => {
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

function namesIn(library: string): string[] {
  const lists = [...read(`${library}/src/index.ts`).matchAll(/\{(.*?)\}/gs)].flatMap(
    ([, list = '']) => list.split(','),
  )
  return lists.map((name) => name.replace('type ', '').trim()).filter(Boolean)
}

/** The example in the JSDoc right before the declaration of an export, if any. */
function exampleOf(name: string, source: string): string {
  const at = source.search(
    new RegExp(`\\*/\\nexport (?:async )?(?:function|type|interface|class) ${name}\\b`),
  )
  const docstring = at < 0 ? '' : source.slice(source.lastIndexOf('/**', at), at)
  const [, example = ''] = docstring.split(' * @example\n')
  return example.replace(/^ \* @.*/ms, '').replaceAll(/^ \* ?/gm, '')
}

/** The lines of a type, up to the next declaration in the first column. */
function declarationOf(name: string, source: string): string[][] {
  const at = source.search(new RegExp(`^export (?:type|interface|class) ${name}\\b`, 'm'))
  const [declaration = ''] = at < 0 ? [] : source.slice(at).split(/\n(?=[a-z/])/)
  return declaration === '' ? [] : [declaration.split('\n')]
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
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.mts'] }),
  )
  return spawnSync(join(PACKAGES, library, 'node_modules/.bin/tsc'), [
    '-p',
    folder,
  ]).stdout.toString()
}
