import { describe, expect, test } from 'vitest'
import { createSigner, createSyncSigner, type Hmac, type Runtime } from '../src/hmac.ts'
import { cachedSigner, cachedSyncSigner } from '../src/key.ts'
import { generateSecret } from '../src/secret.ts'
import { createSignatures } from '../src/signature.ts'

interface Vector {
  readonly name: string
  readonly key: Uint8Array<ArrayBuffer>
  readonly content: string
  readonly hex: string
}

const vectors: readonly Vector[] = [
  {
    name: 'RFC 4231, case 1',
    key: new Uint8Array(20).fill(0x0b),
    content: 'Hi There',
    hex: 'b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7',
  },
  {
    name: 'RFC 4231, case 6',
    key: new Uint8Array(131).fill(0xaa),
    content: 'Test Using Larger Than Block-Size Key - Hash Key First',
    hex: '60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54',
  },
]

// A runtime that lacks part of Node gets WebCrypto, which is asynchronous.
describe.each<{ name: string; runtime: Runtime; kind: 'sync' | 'async' }>([
  { name: 'Node', runtime: globalThis as Runtime, kind: 'sync' },
  { name: 'a browser, without process', runtime: {}, kind: 'async' },
  {
    name: 'a runtime without getBuiltinModule, such as Node 20.0',
    runtime: { process: {} },
    kind: 'async',
  },
  {
    name: 'the edge runtime of Next.js, whose getBuiltinModule throws',
    runtime: { process: { getBuiltinModule: unsupported } },
    kind: 'async',
  },
  {
    name: 'a runtime whose process has no property that can be read',
    runtime: {
      get process(): never {
        return unsupported()
      },
    },
    kind: 'async',
  },
  {
    name: 'a runtime without node:crypto',
    runtime: { process: { getBuiltinModule: () => undefined } },
    kind: 'async',
  },
  {
    name: 'a runtime whose node:crypto has no HMAC',
    runtime: { process: { getBuiltinModule: () => ({}) } },
    kind: 'async',
  },
])('in $name', ({ runtime, kind }) => {
  test.each(vectors)('it signs $name', async ({ key, content, hex }) => {
    const hmac = await createSigner(key, runtime)
    const signature = hmac(encode(content))
    expect(signature instanceof Promise).toBe(kind === 'async')
    expect(await signature).toBe(Buffer.from(hex, 'hex').toString('base64'))
    const sync = createSyncSigner(key, runtime)
    expect(sync?.(encode(content))).toBe(kind === 'sync' ? await signature : undefined)
  })
})

test('without node:crypto, a synchronous verification is refused', () => {
  const refused = () => cachedSyncSigner(generateSecret(), () => undefined)
  expect(refused).toThrow('this runtime has no node:crypto: await `verify` instead')
  expect(refused).toThrow(expect.objectContaining({ code: 'sync-unavailable', status: 500 }))
})

describe('the cache of keys', () => {
  test('it imports a key once and caches at most 256 keys', async () => {
    let imports = 0
    const importKey = (): Hmac => {
      imports++
      return () => ''
    }
    const fresh = Array.from({ length: 257 }, generateSecret)
    const useAll = (secrets: string[]) =>
      Promise.all(secrets.map((secret) => cachedSigner(secret, importKey)))
    await useAll(fresh.slice(0, 3))
    await useAll(fresh.slice(0, 3))
    expect(imports).toBe(3)
    await useAll(fresh)
    await useAll(fresh.slice(0, 3))
    expect(imports).toBe(257 + 3)
  })

  test('it imports a key again after a failed import', async () => {
    const busy = new Error('no memory for a key')
    const secret = generateSecret()
    await expect(cachedSigner(secret, () => Promise.reject(busy))).rejects.toBe(busy)
    expect(await createSignatures(encode('{}'), secret)).toHaveLength(1)
  })
})

function unsupported(): never {
  throw new Error('A Node.js API is used which is not supported in the Edge Runtime')
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text)
}
