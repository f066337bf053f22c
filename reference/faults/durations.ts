/** In milliseconds. */
export const minute = 60_000

/** In milliseconds. */
export const hour = 60 * minute

/** In milliseconds. */
export const day = 24 * hour
