/**
 * The queue of the deliveries of one partner to one origin: the capacity of an origin is limited, and partners must not
 * delay each other.
 *
 * @example
 * console.log(laneOf({ partner_id: 'p1', url: 'https://loja.example/pix' })) // 'p1 https://loja.example'
 */
export function laneOf({ partner_id, url }: { readonly partner_id: string; readonly url: string }): string {
  // The poster groups hosts by origin too.
  return `${partner_id} ${URL.parse(url)?.origin ?? url}`
}

/** The parts of a lane. Both are empty for a delivery of an earlier version, which has no lane. */
export function partsOf(lane: string): { readonly partner: string; readonly origin: string } {
  const end = lane.indexOf(' ')
  return { partner: lane.slice(0, end), origin: lane.slice(end + 1) }
}
