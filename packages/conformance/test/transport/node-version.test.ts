import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { requireNode } from '../../src/transport/node-version.ts'

const HOME = new URL('../../', import.meta.url)
/** Imports a file while a library is missing. */
const WITHOUT_UNDICI = `
  import { registerHooks } from 'node:module'
  const resolve = (name, context, next) => {
    if (name === 'undici') throw new Error('undici was imported')
    return next(name, context)
  }
  registerHooks({ resolve })
  await import(process.argv[1])
`

test('names the Node version of the package', () => {
  const { engines } = JSON.parse(readFileSync(new URL('package.json', HOME), 'utf8'))
  const needed = Number(/\d+/.exec(engines.node))
  for (const version of ['20.20.2', '22.21.1', `${needed - 1}.99.0`])
    expect(() => requireNode(version)).toThrow(`needs Node ${needed} or later, and this is Node ${version}`)
  for (const version of [`${needed}.0.0`, process.versions.node])
    expect(() => requireNode(version)).not.toThrow()
})

test.each(['src/index.ts', 'src/cli/main.ts'])('loads %s without undici', (file) => {
  const args = ['--input-type=module', '-e', WITHOUT_UNDICI, new URL(file, HOME).href]
  expect(() => execFileSync(process.execPath, args, { stdio: 'pipe' })).not.toThrow()
})
