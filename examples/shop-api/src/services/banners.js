"use strict";

/** Which of the banners is shown first. */
function bannerNumber(count) {
  return Math.floor(Math.random() * count);
}

module.exports = { bannerNumber };
