import { describe } from 'vitest'
import { testRows } from './rows.ts'
import {
  changed,
  type HarEntry,
  lookUp,
  session,
  signIn,
  withContent,
  withoutCredentials,
} from './session.ts'

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

/** A session of a service that takes its tokens in another scheme than Bearer. */
function sessionInScheme(scheme: string, type: string): HarEntry[] {
  const [first, ...others] = session()
  if (!first) return []

  const withType = withContent(first, (text) => ({ text: text.replace('"Bearer"', `"${type}"`) }))
  const inScheme = others.map((entry) =>
    changed(entry, ({ request }) => {
      for (const header of request.headers) {
        if (header.name === 'authorization') header.value = header.value.replace('Bearer', scheme)
      }
    }),
  )
  return [withType, ...inScheme]
}

describe('a scheme of tokens is found once, in whatever letters', () => {
  const finds = ['access-tokens@undefined', 'responses-shape@signIn']
  testRows([
    {
      title: 'as the response names it',
      entries: sessionInScheme('Token', 'Token'),
      finds,
    },
    {
      title: 'in capitals, which the response has in small letters',
      entries: sessionInScheme('Token', 'token'),
      finds,
    },
    {
      title: 'in small letters, which the response has in capitals',
      entries: sessionInScheme('token', 'TOKEN'),
      finds,
    },
  ])
})
