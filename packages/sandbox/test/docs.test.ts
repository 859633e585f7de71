import { expect, test } from 'vitest'
import { createApp } from '../src/index.ts'

test.each([
  ['http://127.0.0.1:4000', 'http://127.0.0.1:4000/'],
  ['https://example.com/pix/?version=1#top', 'https://example.com/pix/'],
])('it links the page and the type of each problem to the docs at %s', async (docs, base) => {
  const app = await createApp({ docs })
  const get = async (path: string) => (await app.fetch(new Request(`http://127.0.0.1${path}`))).json()
  expect(await get('/mobile-bff/v1/partner/user')).toMatchObject({
    type: `${base}behaviour/errors.html#invalid_token`,
  })
  expect(await get('/_sandbox/state')).toMatchObject({
    docs: {
      home: base,
      form: `${base}operations/createTransfer.html#try-it`,
      errors: `${base}behaviour/errors.html`,
    },
  })
  await app.close()
})

test('it links to nothing without docs', async () => {
  const app = await createApp()
  const get = async (path: string) => (await app.fetch(new Request(`http://127.0.0.1${path}`))).json()
  expect(await get('/mobile-bff/v1/partner/user')).toMatchObject({ type: 'about:blank' })
  expect(await get('/_sandbox/state')).toMatchObject({ docs: null })
  await app.close()
})

test.each(['', '127.0.0.1:4000', 'javascript:alert(1)'])('it refuses docs at "%s"', async (docs) => {
  await expect(createApp({ docs })).rejects.toThrow('must be an http or https URL')
})
