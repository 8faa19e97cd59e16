/** Port of the page if none is given: always the same one, so that a bookmark and an open tab find the page again. */
export const PAGE_PORT = 9424;
