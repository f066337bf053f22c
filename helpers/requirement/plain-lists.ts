/** The claims on plain lists that explain a failure of anything that reads lists page by page. */
export const plainLists = ['list.walk.*', 'list.token.*', 'list.empty.*', 'list.repeated*', 'list.fresh'] as const
