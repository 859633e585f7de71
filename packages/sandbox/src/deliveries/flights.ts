import type { GateLimits } from './gate.ts'

/** A delivery that is due, as far as its place matters. */
export interface Due {
  readonly position: bigint
  readonly webhook_id: string
  readonly url: string
}

/** Whether a delivery may start: at once, when its host has a place again, or when any host has. */
export type Verdict = 'start' | 'wait' | 'full'

/** The deliveries that an instance has under way, and the webhooks that wait since their host has enough of them. */
export interface Flights {
  /** Whether nothing can start, or nobody else can wait, before one has ended. */
  readonly isFull: boolean
  /** The webhooks that wait. */
  readonly waiting: readonly string[]
  /** Judges one delivery after another, as if those that may start had. */
  plan(): (due: Due) => Verdict
  /** Lets the webhook of a delivery wait until one to its host has ended. */
  wait(due: Due): void
  /** Counts a delivery: for its host until it is `posted`, in all until it is `concluded`, which is given back. */
  track(due: Due, posted: Promise<unknown>, concluded: Promise<void>): Promise<void>
}

/** The host of what was posted, and is not concluded. */
const NONE = ''
/** Webhooks that may wait; their ids are values of a statement. */
const WAITING = 4_096

/**
 * Makes the places for the deliveries of an instance.
 *
 * @param limits.perKey deliveries at a time to one host
 * @param limits.total deliveries at a time in all
 *
 * @example
 * const flights = createFlights({ perKey: 4, total: 64 })
 * console.log(flights.plan()({ position: 1n, webhook_id: '', url: 'https://loja.example/pix' })) // 'start'
 */
export function createFlights({ perKey, total }: Pick<GateLimits, 'perKey' | 'total'>): Flights {
  const origins = new Map<bigint, string>()
  const waiting = new Map<string, string>()

  function end(origin: string): void {
    for (const [webhook, its] of waiting) if (its === origin) waiting.delete(webhook)
  }

  return {
    get isFull() {
      return origins.size >= total || waiting.size >= WAITING
    },
    get waiting() {
      return [...waiting.keys()]
    },
    plan() {
      const planned = [...origins.values()]
      return ({ position, url }) => {
        // One whose claim has lapsed may still be under way.
        if (origins.has(position) || countOf(planned, originOf(url)) >= perKey) return 'wait'
        if (planned.length >= total) return 'full'
        planned.push(originOf(url))
        return 'start'
      }
    },
    wait({ position, webhook_id, url }) {
      const origin = origins.get(position) ?? originOf(url)
      // Where all have ended since the plan, nobody would end the wait.
      if (countOf([...origins.values()], origin) > 0) waiting.set(webhook_id, origin)
    },
    track({ position, url }, posted, concluded) {
      const origin = originOf(url)
      const free = () => {
        origins.set(position, NONE)
        end(origin)
      }
      origins.set(position, origin)
      posted.then(free, free)
      return concluded.finally(() => {
        origins.delete(position)
        end(NONE)
      })
    },
  }
}

/** As the poster tells hosts apart. */
function originOf(url: string): string {
  return URL.parse(url)?.origin ?? url
}

function countOf(origins: readonly string[], origin: string): number {
  return origins.filter((one) => one === origin).length
}
