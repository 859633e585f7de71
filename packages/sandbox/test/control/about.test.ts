import { findObjection } from '@partner-payments/contract'
import { expect, test } from 'vitest'
import { createApp } from '../../src/app.ts'
import { createRequest, issueToken } from '../callers.ts'

/** What programs that pay find at the sandbox. */
async function reasonOf(options: { readonly control?: boolean }): Promise<string | undefined> {
  const app = await createApp(options)
  const get = async (path: string) => {
    const response = await app.fetch(createRequest('GET', path, {}))
    return { status: response.status, text: await response.text() }
  }
  const question = { kind: 'sandbox', isRemoteAllowed: false, get } as const
  return findObjection(new URL('http://127.0.0.1'), question).finally(() => app.close())
}

test('a sandbox says that it is one, with its version and clock', async () => {
  expect(await reasonOf({})).toBeUndefined()
})

test('a sandbox says whether it issued a token', async () => {
  const app = await createApp()
  const token = await issueToken(app)
  for (const { authorization, issued_token } of [
    { authorization: token, issued_token: true },
    { authorization: `${token}x`, issued_token: false },
    { authorization: 'Basic eDp5', issued_token: false },
  ] as const) {
    const response = await app.fetch(createRequest('GET', '/_sandbox/about', { authorization }))
    expect(await response.json()).toMatchObject({ issued_token })
  }
  await app.close()
})

test('a sandbox without its control API is not recognized', async () => {
  expect(await reasonOf({ control: false })).toContain('GET /_sandbox/about returned 404')
})

test('a sandbox repeats the nonce of a question, and no other text', async () => {
  const app = await createApp()
  for (const { query, nonce } of [
    { query: '?nonce=a-1', nonce: 'a-1' },
    { query: '?nonce=%3Cb%3E', nonce: undefined },
    { query: '', nonce: undefined },
  ]) {
    const response = await app.fetch(createRequest('GET', `/_sandbox/about${query}`, {}))
    const about = (await response.json()) as { nonce?: string }
    expect(about.nonce).toBe(nonce)
  }
  await app.close()
})
