import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'

const docs = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'next-'))
afterAll(() => rmSync(folder, { recursive: true }))

// As create-next-app writes them, without its plugin; Next.js's own types bring those of Node.
const ofNext = {
  target: 'ES2017',
  lib: ['dom', 'dom.iterable', 'esnext'],
  allowJs: true,
  skipLibCheck: true,
  strict: true,
  noEmit: true,
  esModuleInterop: true,
  module: 'esnext',
  moduleResolution: 'bundler',
  resolveJsonModule: true,
  isolatedModules: true,
  jsx: 'react-jsx',
  types: ['node'],
  typeRoots: [join(docs, 'node_modules/@types')],
  allowImportingTsExtensions: true,
}

test('the receiver compiles in an application of Next.js that allows imports of .ts', () => {
  const files = ['next.ts', 'worker.ts'].map((file) => join(docs, 'receivers', file))
  const project = join(folder, 'tsconfig.json')
  writeFileSync(project, JSON.stringify({ compilerOptions: ofNext, files }))
  const { stdout } = spawnSync(join(docs, 'node_modules/.bin/tsc'), ['-p', project], { encoding: 'utf8' })
  expect(stdout).toBe('')
})
