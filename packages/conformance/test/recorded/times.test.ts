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
      title: 'takes its place in the middle, with others like it',
      entries: times((index) => (index > 0 && index < 5 ? 'yesterday' : undefined)),
      unknown: { times: 4 },
    },
    {
      title: 'is in a file without times',
      entries: times(() => null),
      unknown: { times: 8 },
    },
    {
      title: 'is one whose time has no zone',
      entries: times((index) => (index === 3 ? '2026-11-28T20:55:10' : undefined)),
      unknown: { times: 1 },
    },
    {
      title: 'is not one whose time is in milliseconds',
      entries: session().map((entry) => ({
        ...entry,
        startedDateTime: Date.parse(String(entry.startedDateTime)),
      })),
    },
    {
      title: 'is not one whose time is in milliseconds as a string',
      entries: session().map((entry) => ({
        ...entry,
        startedDateTime: String(Date.parse(String(entry.startedDateTime))),
      })),
    },
  ])
})
