import { expect, test } from 'vitest'
import type { Lookup } from '../../src/deliveries/dial.ts'
import { createTargetCheck } from '../../src/deliveries/target.ts'
import { refusedLiterals, refusedUrls } from './urls.ts'

const url = 'https://hooks.loja.teste/pix'
const refusal = { detail: '"url" must name a public host, not one of a private network.' }

test('refuses an invalid URL without a lookup', async () => {
  const { lookup, asked } = lookupOf(['8.8.8.8'])
  const checkTarget = createTargetCheck({ lookup })
  for (const refused of [...refusedUrls, ...refusedLiterals])
    expect(await checkTarget(refused), refused).toHaveProperty('detail')
  expect(asked).toEqual([])
})

test('accepts a name whose addresses are all public', async () => {
  const { lookup, asked } = lookupOf(['8.8.8.8', '2606:4700:4700::1111'])
  expect(await createTargetCheck({ lookup })(url)).toBeUndefined()
  expect(asked).toEqual(['hooks.loja.teste'])
})

test.each(['10.0.0.1', '169.254.169.254', '::1', 'fd00:ec2::254'])(
  'refuses a name that resolves to %s, alone or beside public ones',
  async (address) => {
    for (const addresses of [[address], ['8.8.8.8', address], [address, '8.8.8.8']])
      expect(await createTargetCheck(lookupOf(addresses))(url)).toEqual(refusal)
  },
)

test('accepts reserved names, IP addresses and loopback without a lookup', async () => {
  const { lookup, asked } = lookupOf(['10.0.0.1'])
  const checkTarget = createTargetCheck({ lookup, allowLoopback: true })
  for (const taken of [
    'https://loja.example/',
    'https://8.8.8.8/',
    'http://localhost:3000/',
    'http://127.0.0.1/',
  ])
    expect(await checkTarget(taken)).toBeUndefined()
  expect(asked).toEqual([])
})

test('refuses a name that resolves to loopback with allowLoopback too', async () => {
  const { lookup } = lookupOf(['127.0.0.1'])
  expect(await createTargetCheck({ lookup, allowLoopback: true })(url)).toEqual(refusal)
})

test('accepts a name that does not resolve', async () => {
  for (const lookup of [
    () => Promise.reject(new Error('ENOTFOUND')),
    () => {
      throw new Error('at once')
    },
    lookupOf([]).lookup,
  ])
    expect(await createTargetCheck({ lookup })(url)).toBeUndefined()
})

test('resolves a repeated name once, and again when the cached verdict is old', async () => {
  const { lookup, asked } = lookupOf(['10.0.0.1'])
  let now = 0
  const checkTarget = createTargetCheck({ lookup, clock: () => now, rememberMs: 5_000 })
  await Promise.all([checkTarget(url), checkTarget(url)])
  now = 4_999
  expect(await checkTarget('https://hooks.loja.teste:8443/other')).toEqual(refusal)
  expect(asked).toHaveLength(1)
  now = 5_000
  await checkTarget(url)
  expect(asked).toHaveLength(2)
})

test('caches a bounded number of names, and drops the oldest first', async () => {
  const { lookup, asked } = lookupOf(['8.8.8.8'])
  const checkTarget = createTargetCheck({ lookup, max: 2 })
  for (const name of ['a', 'b', 'c', 'b', 'c', 'a']) await checkTarget(`https://${name}.loja.teste/`)
  expect(asked.map((name) => name[0])).toEqual(['a', 'b', 'c', 'a'])
})

function lookupOf(addresses: string[]): { lookup: Lookup; asked: string[] } {
  const asked: string[] = []
  const lookup: Lookup = async (name) => {
    asked.push(name)
    return addresses.map((address) => ({ address }))
  }
  return { lookup, asked }
}
