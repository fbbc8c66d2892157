/** Results of searches, as tests look at them. */
interface Placed {
  path: string;
  places?: { path: string }[];
}

/** Every path where a result's text stands, its own first. */
export const pathsOf = ({ path, places = [] }: Placed): string[] => [
  ...new Set([path, ...places.map((place) => place.path)]),
];
