import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { expect, test } from 'vitest'
import { certificate, post, respondWith, tlsReceiver } from './receivers.ts'

// In its own file, because it changes the trusted certificates of the whole process.
setDefaultCACertificates([...getCACertificates('default'), certificate])

test('delivers by TLS to a host with a trusted certificate', async () => {
  await using shop = await tlsReceiver(respondWith(200))
  expect(await post(`https://localhost:${shop.port}/`, { allowLoopback: true })).toMatchObject({
    ok: true,
    status: 200,
  })
})

test('refuses a trusted certificate of another host', async () => {
  await using shop = await tlsReceiver(respondWith(200))
  expect(await post(`https://127.0.0.1:${shop.port}/`, { allowLoopback: true })).toMatchObject({
    ok: false,
    reason: 'tls',
    detail: 'no secure connection (ERR_TLS_CERT_ALTNAME_INVALID)',
  })
  expect(shop.received()).toBe('')
})
