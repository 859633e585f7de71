import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, expect, test } from 'vitest'
import { inline, operationsOf } from '../../build/contract.ts'
import { createSamples } from '../../build/samples.ts'
import { behaviour, whole } from '../site.ts'
import { NEXT } from '../templates.ts'

const docs = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'next-'))
afterAll(() => rmSync(folder, { recursive: true }))

const ofNext = {
  ...NEXT.compilerOptions,
  // Next.js's own types bring those of Node.
  types: NEXT.types,
  typeRoots: [join(docs, 'node_modules/@types')],
  allowImportingTsExtensions: true,
}

test('the receiver compiles in an application of Next.js that allows imports of .ts', () => {
  const files = ['next.ts', 'worker.ts'].map((file) => join(docs, 'receivers', file))
  expect(errorsIn(files, ofNext)).toBe('')
})

test('the samples in TypeScript compile, and so do those of operations without words of their own', () => {
  const operations = operationsOf(inline(whole), behaviour)
  const withoutWords = operations.filter(({ id }) => !/^signIn$|check/i.test(id))
  const copies = withoutWords.map((operation) => ({ ...operation, id: `${operation.id}Copy` }))
  const files = [...operations, ...copies].map((operation) => {
    const file = join(folder, `${operation.id}.ts`)
    const sample = createSamples(operation).find(({ lang }) => lang === 'TypeScript')
    writeFileSync(file, sample?.source ?? '')
    return file
  })
  const client = join(docs, 'node_modules/@partner-payments/client/src/index.ts')
  const options = { ...ofNext, target: 'es2022', paths: { '@partner-payments/client': [client] } }
  expect(errorsIn(files, options)).toBe('')
})

function errorsIn(files: readonly string[], compilerOptions: object): string {
  const project = join(folder, 'tsconfig.json')
  writeFileSync(project, JSON.stringify({ compilerOptions, files }))
  const tsc = join(docs, 'node_modules/.bin/tsc')
  const { stdout } = spawnSync(tsc, ['-p', project], { encoding: 'utf8' })
  return stdout
}
