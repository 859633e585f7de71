import { builtinModules } from 'node:module'
import { fileURLToPath } from 'node:url'
import { EdgeVM } from '@edge-runtime/vm'
import { serve } from '@partner-payments/mock'
import { type BuildOptions, build } from 'esbuild'
import { afterAll, expect, test } from 'vitest'

const CLIENT = fileURLToPath(new URL('..', import.meta.url))
const SUBPATHS = [
  'src/index.ts',
  'src/validation.ts',
  'src/generated/fixtures.ts',
  'src/react-query.ts',
  'src/msw.ts',
  'src/generated/webhooks/index.ts',
]
const expected = {
  paid: 'settled',
  missing: 404,
  aborted: 'aborted',
  refused: 'connection',
  statuses: [200, 200, 200, 201, 404],
}

const mock = await serve({ port: 0 })
afterAll(() => mock.close())

/** A bundled program, and its external imports. */
async function bundle(contents: string, options: BuildOptions = {}) {
  const { outputFiles, metafile } = await build({
    stdin: { contents, resolveDir: CLIENT },
    bundle: true,
    minify: true,
    format: 'esm',
    // A peer dependency, which the user installs.
    external: [...builtinModules, 'node:*', 'msw'],
    ...options,
    metafile: true,
    write: false,
  })
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports)
  const externalImports = imports.filter(({ external }) => external)
  return {
    text: outputFiles[0]?.text ?? '',
    external: externalImports.map(({ path }) => path),
  }
}

const OF_NODE = /(?<![.\w"'`-])(process|Buffer|require|global|setImmediate|__dirname)\b/

test.each(SUBPATHS)('%s uses nothing of Node', async (file) => {
  const program = `export * from './${file}'`
  const { external } = await bundle(program)
  expect(external.filter((path) => path !== 'msw')).toEqual([])
  // openapi-fetch reads the version of Node if there is one.
  const { text } = await bundle(program, { external: ['openapi-fetch', 'msw'] })
  expect(text).not.toMatch(OF_NODE)
})

test('imports and globals of Node are found', async () => {
  expect((await bundle('export const fs = import("fs")')).external).toHaveLength(1)
  expect((await bundle('f(Buffer.from("x"))')).text).toMatch(OF_NODE)
})

test('the package and its validation run in an edge runtime without Node, which forbids eval', async () => {
  const { text } = await bundle(`export * from './scripts/flow.mjs'`, {
    format: 'iife',
    globalName: 'program',
  })
  const edge = new EdgeVM()
  edge.evaluate(text)
  expect(edge.evaluate(`typeof process + typeof Buffer + typeof require`)).toBe(
    'undefinedundefinedundefined',
  )
  expect(() => edge.evaluate(`new Function('return 1')`)).toThrow('Code generation from strings')
  const line = edge.evaluate(`program.flow('${mock.url}').then(JSON.stringify)`)
  expect(JSON.parse(await line)).toEqual(expected)
})

/** What browsers of 2021 lack. */
const MISSING = [
  'URL.canParse',
  'AbortSignal.any',
  'Object.hasOwn',
  'Array.prototype.at',
  'String.prototype.isWellFormed',
  'globalThis.ReadableStream',
  'globalThis.structuredClone',
]

test('the package and its validation run without what is new in browsers', async () => {
  const { text } = await bundle(`export * from './scripts/flow.mjs'`, {
    format: 'iife',
    globalName: 'program',
  })
  const old = new EdgeVM()
  for (const name of MISSING) old.evaluate(`${name} = undefined`)
  for (const name of MISSING) expect(old.evaluate(`typeof ${name}`)).toBe('undefined')
  old.evaluate(text)
  const line = old.evaluate(`program.flow('${mock.url}').then(JSON.stringify)`)
  expect(JSON.parse(await line)).toEqual(expected)
})
