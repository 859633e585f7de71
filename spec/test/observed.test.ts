import { expect, it } from 'vitest'
import { describe } from '../build/describe.ts'
import { type Question, questionErrors } from '../lint/register.ts'

const observed = {
  service: 'https://pix.example.com',
  date: '2026-11-29',
  evidence: 'run, 3 cases',
}
const question: Question = {
  question: 'What is the unit?',
  source: { section: 'Token set', marks: [2] },
  assumption: 'Milliseconds.',
  basis: 'observed',
  observed,
  settled: 'One token.',
}

it('accepts an observation with or without the standard that the service follows', () => {
  expect(questionErrors('unit', question)).toEqual([])
  expect(questionErrors('unit', { ...question, norm: 'RFC 6749' })).toEqual([])
})

it.each([
  {
    changes: { observed: undefined },
    message: 'The basis observed needs "observed"; add it, with service, date, evidence.',
  },
  { changes: { basis: 'assumed' }, message: 'Only the basis observed has "observed"; remove it.' },
  {
    changes: { observed: { ...observed, service: 'staging' } },
    message: '"observed" must name the base URL of the service, such as https://api.example.com.',
  },
  {
    changes: { observed: { ...observed, date: 'today' } },
    message: '"observed" must have the date of the observation, such as 2026-11-29.',
  },
  {
    changes: { observed: { ...observed, 'one of each kind': null } },
    message:
      '"one of each kind" is not a field of "observed"; it has service, date, evidence. Quote a comma.',
  },
  {
    changes: { observed: { ...observed, evidence: '' } },
    message: '"observed" must say what its evidence is; add "evidence".',
  },
] as const)('refuses $changes', ({ changes, message }) => {
  const errors = questionErrors('unit', { ...question, ...changes } as Question)
  expect(errors.map((error) => error.message)).toEqual([message])
})

it('shows an observation on hover as neither a fact nor an assumption', () => {
  const field = {
    type: 'integer',
    description: 'A lifetime.',
    'x-open-question': { meaning: 'unit' },
  }
  const { lifetime } = describe({ lifetime: field }, { unit: question }) as {
    lifetime: { description: string }
  }
  expect(lifetime.description).toBe(
    'A lifetime.\n\nObservation unit (observed at https://pix.example.com on 2026-11-29): Milliseconds.',
  )
})
