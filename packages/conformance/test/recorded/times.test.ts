import { describe } from 'vitest'
import { testRows } from './rows.ts'
import { session } from './session.ts'

describe('an exchange without a time that can be read', () => {
  const UNREADABLE_TIMES = [
    '28/11/2026 20:55',
    '',
    null,
    0,
    '1970-01-01T00:00:00.000Z',
    '0001-01-01T00:00:00Z',
    {},
  ]
  const times = (change: (index: number) => unknown) =>
    session().map((entry, index) => {
      const startedDateTime = change(index)
      return { ...entry, ...(startedDateTime !== undefined && { startedDateTime }) }
    })

  testRows([
    ...UNREADABLE_TIMES.map((value) => ({
      title: `takes its place between its neighbours: ${JSON.stringify(value)}`,
      entries: times((index) => (index === 0 ? value : undefined)),
      unknown: { times: 1 },
    })),
    {
      title: 'takes it in the middle, and more than one do',
      entries: times((index) => (index > 0 && index < 5 ? 'yesterday' : undefined)),
      unknown: { times: 4 },
    },
    {
      title: 'is in a file without times',
      entries: times(() => null),
      unknown: { times: 8 },
    },
    {
      title: 'has no time that lacks its zone',
      entries: times((index) => (index === 3 ? '2026-11-28T20:55:10' : undefined)),
      unknown: { times: 1 },
    },
    {
      title: 'is none that is written in milliseconds',
      entries: session().map((entry) => ({
        ...entry,
        startedDateTime: Date.parse(String(entry.startedDateTime)),
      })),
    },
    {
      title: 'is none that is written in milliseconds as text',
      entries: session().map((entry) => ({
        ...entry,
        startedDateTime: String(Date.parse(String(entry.startedDateTime))),
      })),
    },
  ])
})
