import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { requireNode } from '../src/run/node.ts'

const HOME = new URL('../', import.meta.url)
/** Imports a file where a library is not to be had. */
const WITHOUT_UNDICI = `
  import { registerHooks } from 'node:module'
  const resolve = (name, context, next) => {
    if (name === 'undici') throw new Error('undici was imported')
    return next(name, context)
  }
  registerHooks({ resolve })
  await import(process.argv[1])
`

test('says which Node is needed, which is the one of the package', () => {
  const { engines } = JSON.parse(readFileSync(new URL('package.json', HOME), 'utf8'))
  const [needed] = /\d+/.exec(engines.node) ?? []
  expect(() => requireNode('20.20.2')).toThrow(`needs Node ${needed} or later, and this is Node 20.20.2`)
  expect(() => requireNode(process.versions.node)).not.toThrow()
})

test.each(['src/index.ts', 'src/cli/main.ts'])('%s loads where undici does not', (file) => {
  const args = ['--input-type=module', '-e', WITHOUT_UNDICI, new URL(file, HOME).href]
  expect(() => execFileSync(process.execPath, args, { stdio: 'pipe' })).not.toThrow()
})
