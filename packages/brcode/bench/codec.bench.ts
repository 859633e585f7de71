import { opsPerSecond } from '../../../scripts/bench/rounds.ts'
import type { Bench, Row } from '../../../scripts/bench/table.ts'
import { malformed } from './malformed.ts'
import { FIELDS, type Subject, subjects } from './peers.ts'

// Manual de Padrões para Iniciação do Pix 2.10.0, 2.6.3 and 2.7.2.
const STATIC =
  '00020126580014br.gov.bcb.pix0136123e4567-e12b-12d1-a456-4266554400005204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***63041D3D'
const DYNAMIC =
  '00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913Fulano de Tal6008BRASILIA62070503***630464E4'

export const bench: Bench = {
  title: 'BR Code codec',
  run: async () => [
    ...timed(
      'decode a static code',
      ({ decode }) =>
        () =>
          decode(STATIC),
    ),
    ...timed(
      'decode a dynamic code',
      ({ decode }) =>
        () =>
          decode(DYNAMIC),
    ),
    ...timed(
      'encode a static code',
      ({ encode }) =>
        () =>
          encode(FIELDS),
    ),
    ...subjects.map(wronglyAccepted),
  ],
}

/** Twice: beside the peers that hold values to the norm as ours does, and beside those that read the structure alone. */
function timed(figure: string, work: (subject: Subject) => () => unknown): Row[] {
  const works = subjects.map((subject) => [subject.name, repeated(work(subject))] as const)
  const speeds = opsPerSecond(Object.fromEntries(works))
  const rows = subjects.map(({ name, ours, checksPix }) => ({
    figure: checksPix ? figure : `${figure}, beside structure only`,
    subject: name,
    value: speeds[name] ?? Number.NaN,
    unit: 'ops/s',
    better: 'higher' as const,
    ...(ours && { ours }),
  }))
  const ours = rows
    .filter((row) => row.ours)
    .map((row) => ({ ...row, figure: `${figure}, beside structure only` }))
  return [...rows, ...ours]
}

function repeated(work: () => unknown): (times: number) => void {
  return (times) => {
    for (let i = 0; i < times; i++) work()
  }
}

function wronglyAccepted({ name, ours, decode }: Subject): Row {
  const accepted = malformed.filter(([, code]) => accepts(decode, code))
  return {
    figure: `wrongly accepted of ${malformed.length} malformed codes`,
    subject: name,
    value: accepted.length,
    unit: 'codes',
    better: 'lower',
    ...(ours && { ours }),
  }
}

function accepts(decode: Subject['decode'], code: string): boolean {
  try {
    return Boolean(decode(code))
  } catch {
    return false
  }
}
