/** Style of nodes and edges. Colours come from the page's style sheet, the only place that knows dark from light. */
import type cytoscape from 'cytoscape';
import { cssColour } from './colours.js';

/** Most edges that are drawn with arrows; plain lines are many times faster. */
const ARROWS = 2_500;

export function graphStyle(edgeCount: number): cytoscape.StylesheetJson {
  const [ground, text, faint] = ['ground', 'text', 'faint'].map(cssColour);
  const plain = edgeCount > ARROWS;
  return [
    {
      selector: 'node',
      style: {
        ...{ width: 'data(size)', height: 'data(size)', 'background-color': 'data(colour)', 'border-width': 0 },
        ...{ label: 'data(label)', color: text, 'font-size': 'data(font)', 'min-zoomed-font-size': 9.5 },
        'font-family': 'ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, sans-serif',
        ...{ 'text-valign': 'bottom', 'text-margin-y': 4, 'text-wrap': 'wrap', 'text-max-width': '440px' },
        ...{ 'text-outline-color': ground, 'text-outline-width': 2.5, 'text-outline-opacity': 0.85 },
        ...{ 'z-index': 10, 'overlay-opacity': 0 },
      },
    },
    {
      selector: 'node.folder',
      style: {
        ...{ shape: 'round-rectangle', 'background-opacity': 0.28, 'border-color': 'data(colour)', 'border-width': 2 },
        ...{ 'font-weight': 600, 'z-index': 5, 'min-zoomed-font-size': 9 },
      },
    },
    {
      selector: 'node.caption',
      style: {
        ...{
          width: 1,
          height: 1,
          'background-opacity': 0,
          color: 'data(colour)',
          'font-weight': 700,
          'min-zoomed-font-size': 0,
        },
        ...{ 'text-valign': 'top', 'text-margin-y': 0, 'text-outline-width': 4, 'z-index': 40, events: 'no' },
      },
    },
    {
      selector: 'edge',
      style: {
        ...{ width: 'data(width)', 'line-color': 'data(colour)', 'line-opacity': plain ? 0.16 : 0.34 },
        ...(plain
          ? { 'curve-style': 'haystack', 'haystack-radius': 0 }
          : {
              ...{ 'curve-style': 'bezier', 'control-point-step-size': 18, 'target-arrow-shape': 'triangle' },
              ...{ 'target-arrow-color': 'data(colour)', 'arrow-scale': 0.75 },
            }),
        ...{ 'z-index': 1, 'overlay-opacity': 0, events: 'no' },
      },
    },
    { selector: 'edge.weak', style: { 'line-style': 'dashed', 'line-dash-pattern': [4, 4], 'line-opacity': 0.3 } },
    { selector: '.faded', style: { opacity: 0.1 } },
    { selector: 'node.faded', style: { 'text-opacity': 0 } },
    {
      selector: 'edge.near',
      style: { 'line-opacity': 0.95, 'z-index': 8 },
    },
    { selector: 'node.near', style: { 'min-zoomed-font-size': 0, 'z-index': 20 } },
    {
      selector: 'node.match',
      style: { 'border-width': 3, 'border-color': cssColour('accent'), 'min-zoomed-font-size': 0, 'z-index': 25 },
    },
    {
      selector: 'node.selected, node.hovered',
      style: {
        'min-zoomed-font-size': 0,
        'z-index': 30,
        'underlay-color': faint,
        'underlay-opacity': 0.45,
        'underlay-padding': 7,
      },
    },
    { selector: 'node.selected', style: { 'border-width': 3, 'border-color': text } },
  ] as unknown as cytoscape.StylesheetJson;
}
