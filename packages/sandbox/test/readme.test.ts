import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatCentavos } from '../src/money/centavos.ts'
import { MAGIC_AMOUNTS, magicKey } from '../src/transfers/rejections.ts'
import { start } from './started.ts'

const home = new URL('../', import.meta.url)
const readme = readFileSync(new URL('README.md', home), 'utf8')

test('every link of the README also works on npm', () => {
  const links = [...readme.matchAll(/\]\(([^)]+)\)/g)].map(([, link]) => link)
  expect(links.filter((link) => !link?.startsWith('https://'))).toEqual([])
})

test('the first program of the README prints what it says', () => {
  const [, program = ''] = /```ts\n(.*?)```/s.exec(readme) ?? []
  const documented = [...program.matchAll(/console\.log\(.*\) \/\/ (.*)/g)].map(([, line]) => line)
  expect(documented).toHaveLength(3)

  const flags = ['--input-type=module-typescript', '--eval', program]
  const printed = execFileSync(process.execPath, flags, { cwd: home, encoding: 'utf8' })
  expect(printed.trimEnd().split('\n')).toEqual(documented)
})

test('the README lists the magic keys and amounts of the code', () => {
  const rows: string[] = []
  for (const [amount, code] of MAGIC_AMOUNTS)
    rows.push(`| \`${formatCentavos(amount)}\` | \`${magicKey(code)}\` | \`${code}\` |`)
  expect(readme.match(/^\| `9990\.\d\d`.*$/gm)).toEqual(rows)
})

test('the README names only existing paths below /_sandbox', async () => {
  const sandbox = await start()
  const requests = [...readme.matchAll(/`(GET|POST) (\/[a-z/]+)`/g)]
  expect(requests).toHaveLength(17)

  for (const [, method = '', path] of requests) {
    const { status, body } = await fetch(`${sandbox.url}/_sandbox${path}`, { method })
    await body?.cancel()
    expect({ path, status }).not.toEqual({ path, status: 404 })
  }

  await sandbox.close()
})
