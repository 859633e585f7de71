/** How many deliveries may be in progress. */
export interface DeliveryLimits {
  /** To one origin. */
  readonly perOrigin: number
  readonly total: number
}

/** The fields of a due delivery that decide when it starts. */
export interface Due {
  readonly position: bigint
  readonly lane: string
}

/** The deliveries that an instance has in progress. */
export type DeliveriesInProgress = ReturnType<typeof trackDeliveries>

/** Counts the deliveries in progress, and chooses those that start next. */
export function trackDeliveries({ perOrigin, total }: DeliveryLimits) {
  const positions = new Set<bigint>()
  const partners: Counts = new Map()
  const origins: Counts = new Map()

  /**
   * Whether the origin of a delivery has capacity, and the delivery is not in progress, as after an
   * expired claim.
   */
  function canStart({ position, lane }: Due): boolean {
    const isInProgress = positions.has(position)
    const hasCapacity = readCount(origins, splitLane(lane).origin) < perOrigin
    return !isInProgress && hasCapacity
  }

  return {
    /** Whether nothing can start until a delivery in progress ends. */
    get isFull() {
      return positions.size >= total
    },
    has: (position: bigint) => positions.has(position),
    canStart,
    /**
     * Chooses which deliveries start now: returns how many of each lane, up to `limit` in total. A
     * lane is the queue of the deliveries of one partner to one origin. The partner with the fewest
     * deliveries in progress comes first, then the origin with the fewest, then the order of
     * `lanes`. With `partner-1 https://shop.example => 2`, the first two of that lane start.
     *
     * @param lanes each with its first delivery
     */
    choose(lanes: readonly Due[], limit: number): ReadonlyMap<string, number> {
      const chosen: Counts = new Map()
      // In progress and chosen, together.
      const planned = { partners: new Map(partners), origins: new Map(origins) }
      const startable = lanes.filter(canStart)
      const candidates = startable.map(({ lane }) => ({ lane, ...splitLane(lane) }))

      const maxStarts = Math.min(limit, total - positions.size)
      for (let i = 0; i < maxStarts; i++) {
        const next = findLeastBusy(candidates, planned, perOrigin)
        if (!next) break

        add(planned.partners, next.partner, 1)
        add(planned.origins, next.origin, 1)
        add(chosen, next.lane, 1)
      }
      return chosen
    },
    /**
     * Counts a delivery that starts: for its origin until `posted` settles, and for its partner and
     * in total until `concluded` settles. Returns a promise that settles like `concluded`.
     *
     * @param posted the request to the receiver
     * @param concluded the request, and the storing of its outcome
     */
    track(
      { position, lane }: Due,
      posted: Promise<unknown>,
      concluded: Promise<void>,
    ): Promise<void> {
      const { partner, origin } = splitLane(lane)
      positions.add(position)
      add(partners, partner, 1)
      add(origins, origin, 1)

      const freeOrigin = () => add(origins, origin, -1)
      posted.then(freeOrigin, freeOrigin)
      return concluded.finally(() => {
        positions.delete(position)
        add(partners, partner, -1)
      })
    },
  }
}

/**
 * Chooses the lane from which a delivery starts next. A lane is the queue of the deliveries of one
 * partner to one origin. The partner with the fewest deliveries in progress comes first, then the
 * origin with the fewest, then the order of `lanes`. Undefined if no origin has capacity.
 */
function findLeastBusy<Parts extends LaneParts>(
  lanes: readonly Parts[],
  counts: { readonly partners: Counts; readonly origins: Counts },
  maxPerOrigin: number,
): Parts | undefined {
  let best: Parts | undefined
  for (const lane of lanes) {
    const hasCapacity = readCount(counts.origins, lane.origin) < maxPerOrigin
    if (!hasCapacity) continue
    if (!best || isLessBusy(lane, best, counts)) best = lane
  }
  return best
}

/**
 * Whether a lane comes before another one: its partner has fewer deliveries in progress, or as many
 * and its origin has fewer. A lane is the queue of the deliveries of one partner to one origin.
 */
function isLessBusy(
  lane: LaneParts,
  other: LaneParts,
  { partners, origins }: { readonly partners: Counts; readonly origins: Counts },
): boolean {
  const ofPartner = readCount(partners, lane.partner)
  const ofOtherPartner = readCount(partners, other.partner)
  if (ofPartner !== ofOtherPartner) return ofPartner < ofOtherPartner

  return readCount(origins, lane.origin) < readCount(origins, other.origin)
}

type Counts = Map<string, number>

function readCount(counts: Counts, key: string): number {
  return counts.get(key) ?? 0
}

function add(counts: Counts, key: string, by: 1 | -1): void {
  const count = readCount(counts, key) + by
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

/**
 * The name of a lane, such as `partner-1 https://shop.example`. A lane is the queue of the
 * deliveries of one partner to one origin: the capacity of an origin is limited, and partners must
 * not delay each other.
 */
export function nameLane({
  partner_id,
  url,
}: {
  readonly partner_id: string
  readonly url: string
}): string {
  return `${partner_id} ${URL.parse(url)?.origin ?? url}`
}

interface LaneParts {
  readonly partner: string
  readonly origin: string
}

/** The parts of a lane. Both are empty for a delivery without a lane. */
function splitLane(lane: string): LaneParts {
  const end = lane.indexOf(' ')
  return { partner: lane.slice(0, end), origin: lane.slice(end + 1) }
}
