import { connect } from "./connections.js";

const CONTENTS = ["THUMBS_UP", "THUMBS_DOWN", "LAUGH", "HOORAY", "CONFUSED", "HEART", "ROCKET", "EYES"];

/** The groups of reactions to something: GitHub always lists all of them. Nobody reacts to anything in the world. */
export const noReactions = (): unknown[] =>
  CONTENTS.map((content) => ({
    content,
    createdAt: null,
    viewerHasReacted: false,
    users: (args: object) => connect([], args, (one) => one),
  }));
