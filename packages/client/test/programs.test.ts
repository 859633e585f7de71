import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { programs, readPage } from './programs.ts'

test('the programs of the guides compile, and an invalid one does not', () => {
  const named: Program[] = []
  for (const [page, texts] of programs) {
    const prefix = page.replaceAll(/[./]+/g, '-')
    texts.forEach((text, index) => {
      named.push({ name: `${prefix}-${index}`, text })
    })
  }
  const valid = named[0]?.text ?? ''
  named.push({ name: 'invalid', text: valid.replace('keys.check', 'keys.look') })
  expect(errorsIn(named)).toMatch(
    /^\S*invalid\.ts\(.*\): error TS2339: Property 'look' does not exist on type 'Keys'\.\n$/,
  )
})

interface Program {
  readonly name: string
  readonly text: string
}

/** What TypeScript reports on programs that import the package by its name. */
function errorsIn(programs: readonly Program[]): string {
  const folder = fileURLToPath(new URL('../node_modules/.programs/', import.meta.url))
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder)
  const compilerOptions = { types: ['node'] }
  const project = { extends: '../../../../tsconfig.base.json', compilerOptions, include: ['*.ts'] }
  writeFileSync(`${folder}tsconfig.json`, JSON.stringify(project))
  for (const { name, text } of programs) writeFileSync(`${folder}${name}.ts`, text)
  const tsc = fileURLToPath(new URL('bin/tsc', import.meta.resolve('typescript/package.json')))
  return spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' }).stdout
}

test('every link of the README is absolute, so that it works on npm', () => {
  const links = [...readPage('../README.md').matchAll(/\]\(([^)]+)\)/g)].map(
    ([, link = '']) => link,
  )
  expect(links.length).toBeGreaterThan(0)
  expect(links.filter((link) => !/^(https:\/\/|#)/.test(link))).toEqual([])
})
