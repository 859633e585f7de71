import { describe } from 'vitest'
import { testRows } from './rows.ts'
import { changed, type HarEntry, lookUp, session, signIn, withContent } from './session.ts'

/** An entry whose recorder left out the credentials. */
function withoutCredentials(entry: HarEntry): HarEntry {
  return changed(entry, ({ request }) => {
    request.headers = request.headers.filter(({ name }) => name !== 'authorization')
  })
}

describe('headers that were not recorded are unknown', () => {
  testRows([
    {
      title: 'all of them',
      entries: session().map((entry) =>
        changed(entry, ({ request, response }) => {
          request.headers = []
          if (response) response.headers = []
        }),
      ),
      unknown: { headers: 16 },
    },
    {
      // Chrome exports no credentials by default, since version 130.
      title: 'the credentials of all requests',
      entries: session().map(withoutCredentials),
      unknown: { headers: 8 },
    },
    {
      title: 'the credentials of a look-up, whose bodies are judged',
      entries: [
        signIn(),
        withContent(withoutCredentials(lookUp()), (text) => ({
          text: text.replace('beltrana@example.com', 'sicrana@example.com'),
        })),
      ],
      finds: ['keys-repeated@checkKey'],
      unknown: { headers: 1 },
    },
    {
      title: 'the credentials of the sign-in alone, whose token is used',
      entries: [withoutCredentials(signIn()), lookUp()],
      unknown: { headers: 1 },
    },
    {
      title: 'the credentials of one request',
      entries: session().map((entry, index) => (index === 3 ? withoutCredentials(entry) : entry)),
      unknown: { headers: 1 },
    },
  ])
})
