import { expect, test } from 'vitest'
import { createApp } from '../src/index.ts'

test.each([
  { docs: 'http://127.0.0.1:4000', home: 'http://127.0.0.1:4000/' },
  { docs: 'https://example.com/pix/?version=1#top', home: 'https://example.com/pix/' },
  { docs: 'https://example.com/pix', home: 'https://example.com/pix/' },
  { docs: 'https://example.com//pix', home: 'https://example.com//pix/' },
  { docs: undefined, home: undefined },
])(
  'it links the page and the type of each problem to the docs at $docs',
  async ({ docs, home }) => {
    const app = await createApp({ docs })
    const get = async (path: string) => {
      const response = await app.fetch(new Request(`http://127.0.0.1${path}`))
      return response.json()
    }

    const errors = `${home}behaviour/errors.html`
    const type = home ? `${errors}#invalid_token` : 'about:blank'
    expect(await get('/mobile-bff/v1/partner/user')).toMatchObject({ type })

    const shown = home
      ? { home, form: `${home}operations/createTransfer.html#try-it`, errors }
      : null
    expect(await get('/_sandbox/state')).toMatchObject({ docs: shown })

    await app.close()
  },
)

test.each(['', '127.0.0.1:4000', 'javascript:alert(1)'])(
  'it refuses docs at "%s"',
  async (docs) => {
    await expect(createApp({ docs })).rejects.toThrow('must be an http or https URL')
  },
)
